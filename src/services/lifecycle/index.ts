import type { Service } from '../../kernel/service.ts';
import { ACCOUNT_COLLECTIONS } from './collections.ts';
import { lifecycleControl } from './control/routes.ts';
import { LIFECYCLE_FAMILY } from './family.ts';
import { LIFECYCLE_LIMITS } from './limits.ts';
import { lifecycleRoutes } from './routes.ts';
import { lifecycleSeed } from './seed.ts';
import { checkSettings } from './settings.ts';

/** Apps, who works on them, and what they tell of their crashes and their use. */
export const LIFECYCLE: Service = {
  name: 'lifecycle',
  title: 'App lifecycle',
  family: LIFECYCLE_FAMILY,
  mounts: ['/v0.1', '/logs'],
  routes: lifecycleRoutes,
  control: lifecycleControl,
  collections: ACCOUNT_COLLECTIONS,
  limits: LIFECYCLE_LIMITS,
  seed: lifecycleSeed,
  key: async (jar) => (await import('./shown-token.ts')).shownToken(jar),
  async open(jar) {
    await checkSettings(jar);
    return {
      stateReplaced: async () => (await import('./access/uses.ts')).forgetUses(jar),
      close: async () => (await import('./access/uses.ts')).usesWritten(jar),
    };
  },
};
