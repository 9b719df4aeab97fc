import type { Service } from '../../kernel/service/index.ts';
import { pictures } from './accounts/picture-collection.ts';
import { ANALYTICS_COLLECTIONS } from './analytics/collections.ts';
import { FORGET_DAY } from './analytics/work.ts';
import { PURGE_APP } from './apps/work.ts';
import { ACCOUNT_COLLECTIONS } from './collections.ts';
import { DIAGNOSTICS_COLLECTIONS } from './diagnostics/collections.ts';
import { FILES_MOUNT } from './diagnostics/files-mount.ts';
import { REPORT_RETENTION } from './diagnostics/work.ts';
import { DISTRIBUTION_COLLECTIONS } from './distribution/collections.ts';
import { PURGE_GROUP } from './distribution/work.ts';
import { EXPORT_COLLECTIONS } from './exports/collections.ts';
import { EXPORT, PRUNE_EXPORTS } from './exports/work.ts';
import { LIFECYCLE_FAMILY } from './family.ts';
import { EXPIRE_INVITATION } from './invitations/work.ts';
import { LIFECYCLE_LIMITS } from './limits.ts';
import { LOG_COLLECTIONS } from './logs/collections.ts';
import { lifecycleSeed } from './seed.ts';
import { SUBJECT_COLLECTIONS } from './subject-rights/collections.ts';
import { SUBJECT_STEP } from './subject-rights/work.ts';
import { SYMBOL_COLLECTIONS } from './symbols/collections.ts';
import { EXPIRE_UPLOAD } from './symbols/work.ts';

/** Apps, their collaborators, and their crash and usage data. */
export const LIFECYCLE: Service = {
  name: 'lifecycle',
  title: 'App lifecycle',
  family: LIFECYCLE_FAMILY,
  mounts: ['/v0.1', '/logs', FILES_MOUNT],
  collections: [
    ...ACCOUNT_COLLECTIONS,
    pictures,
    ...DISTRIBUTION_COLLECTIONS,
    ...SUBJECT_COLLECTIONS,
    ...LOG_COLLECTIONS,
    ...ANALYTICS_COLLECTIONS,
    ...EXPORT_COLLECTIONS,
    ...DIAGNOSTICS_COLLECTIONS,
    ...SYMBOL_COLLECTIONS,
  ],
  work: [
    PURGE_APP,
    PURGE_GROUP,
    SUBJECT_STEP,
    FORGET_DAY,
    EXPIRE_INVITATION,
    EXPORT,
    PRUNE_EXPORTS,
    REPORT_RETENTION,
    EXPIRE_UPLOAD,
  ],
  limits: LIFECYCLE_LIMITS,
  seed: lifecycleSeed,
  settings: { load: async () => (await import('./settings-schema.ts')).settingsRules },
  hasKey: true,
  open: async (jar) => (await import('./open.ts')).openLifecycle(jar),
};
