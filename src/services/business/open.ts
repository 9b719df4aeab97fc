import { Questions } from '../../kernel/delivery/index.ts';
import type { Jar, OpenService } from '../../kernel/service/index.ts';
import { openSettings } from '../../kernel/settings/index.ts';
import { refuseUnknownPath } from './api/handle.ts';
import { changeControl } from './control/changes-routes.ts';
import { subscriptionControl } from './control/subscription-routes.ts';
import type { BusinessJar } from './jar.ts';
import { modelFor } from './model/custom.ts';
import { closeWindow } from './notify/close-window.ts';
import { NOTIFICATION_POLICY } from './notify/policy.ts';
import { pruneChanges } from './notify/prune-changes.ts';
import { openChangeTraces } from './notify/traces.ts';
import { businessRoutes } from './routes.ts';
import { CompanyCache } from './sample/company-cache.ts';
import { BUSINESS_SETTINGS } from './settings-table.ts';
import { RequestQueues } from './throttle/queues.ts';
import { throttle } from './throttle/step.ts';
import { authenticate } from './users/authenticate.ts';
import { expire } from './webhooks/expire.ts';
import { HANDSHAKE_POLICY } from './webhooks/policy.ts';
import { OpenedSecrets } from './webhooks/secrets.ts';

export function openBusiness(jar: Jar): OpenService & { readonly jar: BusinessJar } {
  const own = businessJar(jar);
  const { settings, traces, secrets, tenantsUnderWay } = own;
  return {
    jar: own,
    routes: businessRoutes,
    steps: [refuseUnknownPath, authenticate, throttle],
    settings,
    control: [...subscriptionControl, ...changeControl],
    work: [closeWindow, pruneChanges, expire],
    policies: [HANDSHAKE_POLICY, NOTIFICATION_POLICY],
    /** Requests that wait in a queue or for a handshake are not state: each checks its outcome itself. */
    stateReplaced() {
      traces.forget();
      secrets.forget();
      tenantsUnderWay.clear();
    },
  };
}

/** The jar with the empty caches of the business application. */
export const businessJar = (jar: Jar): BusinessJar => ({
  ...jar,
  model: modelFor(jar.config),
  settings: openSettings(BUSINESS_SETTINGS, jar),
  traces: openChangeTraces(jar),
  secrets: new OpenedSecrets(jar.vault),
  questions: new Questions(),
  requestQueues: new RequestQueues(jar),
  companyCache: new CompanyCache(),
  tenantsUnderWay: new Map(),
});
