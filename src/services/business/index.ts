import type { Service } from '../../kernel/service/index.ts';
import { BUSINESS } from './family.ts';
import { NOTIFY_COLLECTIONS } from './notify/collections.ts';
import { NOTIFY, PRUNE_CHANGES } from './notify/work.ts';
import { HANDSHAKE, NOTIFICATION } from './policies.ts';
import { numberSeries, records } from './records/collection.ts';
import { SAMPLE_COLLECTIONS } from './sample/collections.ts';
import { businessSeed } from './sample/seed.ts';
import { BUSINESS_SETTINGS } from './settings-table.ts';
import { THROTTLE_LIMITS } from './throttle/limits.ts';
import { BUSINESS_AUDIENCES } from './users/audiences.ts';
import { removals, subscriptions } from './webhooks/collection.ts';
import { WEBHOOK_LIMITS } from './webhooks/limits.ts';
import { EXPIRE } from './webhooks/work.ts';

/** Companies and their books over OData, with change webhooks and enforced limits. */
export const BUSINESS_APPLICATION: Service = {
  name: 'business',
  title: 'Business application',
  family: BUSINESS,
  mounts: ['/api'],
  claims: ['/v2.0/{environment}/api', '/v2.0/{tenant}/{environment}/api'],
  collections: [records, numberSeries, subscriptions, removals, ...SAMPLE_COLLECTIONS, ...NOTIFY_COLLECTIONS],
  limits: [...THROTTLE_LIMITS, ...WEBHOOK_LIMITS],
  work: [NOTIFY, PRUNE_CHANGES, EXPIRE],
  policies: [HANDSHAKE, NOTIFICATION],
  settings: {
    changeable: BUSINESS_SETTINGS,
    load: async () => (await import('./settings-schema.ts')).settingsRules,
  },
  seed: businessSeed,
  audiences: BUSINESS_AUDIENCES,
  open: async (jar) => (await import('./open.ts')).openBusiness(jar),
};
