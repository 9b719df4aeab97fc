import type { Jar, OpenService } from '../../kernel/service/index.ts';
import { openSettings } from '../../kernel/settings/index.ts';
import { advanceCreation } from './creation/advance.ts';
import { enterProvider } from './family.ts';
import type { SubscriptionsJar } from './jar.ts';
import { OWNERSHIP_PAGES } from './names.ts';
import { ownershipPages } from './ownership/page.ts';
import { subscriptionRoutes } from './routes.ts';
import { SUBSCRIPTIONS_SETTINGS } from './settings-table.ts';
import { changeState } from './state/transitions.ts';

/** The service keeps no memory except the settings, which are in the store's cache. */
export function openSubscriptions(jar: Jar): OpenService {
  const settings = openSettings(SUBSCRIPTIONS_SETTINGS, jar);
  const own: SubscriptionsJar = { ...jar, settings };
  return {
    jar: own,
    routes: subscriptionRoutes,
    steps: [enterProvider],
    apis: { [OWNERSHIP_PAGES]: { routes: ownershipPages } },
    settings,
    work: [advanceCreation, changeState],
  };
}
