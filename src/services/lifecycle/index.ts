import { wholeService } from '../../kernel/whole-service.ts';
import { pictures } from './accounts/picture-collection.ts';
import { ANALYTICS_COLLECTIONS } from './analytics/collections.ts';
import { ANALYTICS_WORK } from './analytics/work.ts';
import { APP_WORK } from './apps/work.ts';
import { ACCOUNT_COLLECTIONS } from './collections.ts';
import { lifecycleControl } from './control/routes.ts';
import { DIAGNOSTICS_COLLECTIONS } from './diagnostics/collections.ts';
import { FILES_MOUNT } from './diagnostics/file-routes.ts';
import { DIAGNOSTICS_WORK } from './diagnostics/work.ts';
import { DISTRIBUTION_COLLECTIONS } from './distribution/collections.ts';
import { DISTRIBUTION_WORK } from './distribution/work.ts';
import { EXPORT_COLLECTIONS } from './exports/collections.ts';
import { EXPORT_WORK } from './exports/work.ts';
import { LIFECYCLE_FAMILY } from './family.ts';
import { INVITATION_WORK } from './invitations/work.ts';
import { LIFECYCLE_LIMITS } from './limits.ts';
import { LOG_COLLECTIONS } from './logs/collections.ts';
import { lifecycleRoutes } from './routes.ts';
import { lifecycleSeed } from './seed.ts';
import { checkSettings } from './settings.ts';
import { SUBJECT_COLLECTIONS } from './subject-rights/collections.ts';
import { SUBJECT_WORK } from './subject-rights/work.ts';
import { SYMBOL_COLLECTIONS } from './symbols/collections.ts';
import { SYMBOL_WORK } from './symbols/work.ts';

/** Apps, who works on them, and what they tell of their crashes and their use. */
export const LIFECYCLE = wholeService({
  name: 'lifecycle',
  title: 'App lifecycle',
  family: LIFECYCLE_FAMILY,
  mounts: ['/v0.1', '/logs', FILES_MOUNT],
  routes: lifecycleRoutes(),
  control: lifecycleControl,
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
  work: {
    ...APP_WORK,
    ...DISTRIBUTION_WORK,
    ...SUBJECT_WORK,
    ...ANALYTICS_WORK,
    ...INVITATION_WORK,
    ...EXPORT_WORK,
    ...DIAGNOSTICS_WORK,
    ...SYMBOL_WORK,
  },
  limits: LIFECYCLE_LIMITS,
  seed: lifecycleSeed,
  key: async (jar) => (await import('./shown-token.ts')).shownToken(jar),
  async open(jar) {
    await checkSettings(jar);
    return {
      async stateReplaced() {
        (await import('./access/uses.ts')).forgetUses(jar);
        (await import('./access/token-index.ts')).forgetTokens(jar.store);
      },
      close: async () => (await import('./access/uses.ts')).usesWritten(jar),
    };
  },
});
