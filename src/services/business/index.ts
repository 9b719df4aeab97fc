import { wholeService } from '../../kernel/whole-service.ts';
import { changeControl } from './control/changes-routes.ts';
import { settingsControl } from './control/settings-routes.ts';
import { subscriptionControl } from './control/subscription-routes.ts';
import { BUSINESS } from './family.ts';
import { NOTIFY_COLLECTIONS } from './notify/collections.ts';
import { NOTIFICATION_POLICY } from './notify/policy.ts';
import { NOTIFY_WORK } from './notify/work.ts';
import { records } from './records/collection.ts';
import { numberSeries } from './records/number-series.ts';
import { businessRoutes } from './routes.ts';
import { SAMPLE_COLLECTIONS } from './sample/collections.ts';
import { businessSeed } from './sample/seed.ts';
import { checkSettings } from './settings.ts';
import { changedSettings } from './settings-collection.ts';
import { THROTTLE_LIMITS } from './throttle/limits.ts';
import { BUSINESS_AUDIENCES } from './users/audiences.ts';
import { removals, subscriptions } from './webhooks/collection.ts';
import { WEBHOOK_LIMITS } from './webhooks/limits.ts';
import { HANDSHAKE_POLICY } from './webhooks/policy.ts';
import { WEBHOOK_WORK } from './webhooks/work.ts';

/** Companies and their books over OData, with webhooks that tell of changes and limits that bite. */
export const BUSINESS_APPLICATION = wholeService({
  name: 'business',
  title: 'Business application',
  family: BUSINESS,
  mounts: ['/api'],
  routes: businessRoutes,
  control: [...settingsControl, ...subscriptionControl, ...changeControl],
  collections: [
    records,
    numberSeries,
    subscriptions,
    removals,
    changedSettings,
    ...SAMPLE_COLLECTIONS,
    ...NOTIFY_COLLECTIONS,
  ],
  limits: [...THROTTLE_LIMITS, ...WEBHOOK_LIMITS],
  deliveries: [HANDSHAKE_POLICY, NOTIFICATION_POLICY],
  work: { ...NOTIFY_WORK, ...WEBHOOK_WORK },
  seed: businessSeed,
  audiences: BUSINESS_AUDIENCES,
  async open(jar) {
    await checkSettings(jar);
    return { close: async () => {} };
  },
});
