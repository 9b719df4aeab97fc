import type { Service } from '../../kernel/service/index.ts';
import { settingsRules } from '../../kernel/settings/index.ts';
import { subscriptionsSeed } from './billing/seed.ts';
import { aliases, billingAccounts, creations, tenantPolicies, transitions } from './collections.ts';
import { SUBSCRIPTION_FAMILY } from './family.ts';
import { CREATIONS } from './limits.ts';
import { BILLING_NAMESPACE, NAMESPACE, OWNERSHIP_PAGES, RESOURCE_TYPES } from './names.ts';
import { PAGE_FAMILY } from './ownership/page-family.ts';
import { SUBSCRIPTIONS_SETTINGS } from './settings-table.ts';
import { ADVANCE_CREATION, CHANGE_STATE } from './work.ts';

/** Subscriptions: created by aliases, accepted by their owners, cancelled, enabled and renamed. */
export const SUBSCRIPTIONS: Service = {
  name: 'subscriptions',
  title: 'Subscriptions and their aliases',
  family: SUBSCRIPTION_FAMILY,
  mounts: [],
  claims: [NAMESPACE, BILLING_NAMESPACE].map((namespace) => `/providers/${namespace}`),
  apis: [{ name: OWNERSHIP_PAGES, title: 'Pages for new owners of subscriptions', family: PAGE_FAMILY, mounts: [] }],
  collections: [aliases, creations, transitions, tenantPolicies, billingAccounts],
  limits: [CREATIONS],
  resourceTypes: RESOURCE_TYPES,
  work: [ADVANCE_CREATION, CHANGE_STATE],
  settings: {
    changeable: SUBSCRIPTIONS_SETTINGS,
    load: async () => settingsRules(SUBSCRIPTIONS_SETTINGS),
  },
  seed: subscriptionsSeed,
  open: async (jar) => (await import('./open.ts')).openSubscriptions(jar),
};
