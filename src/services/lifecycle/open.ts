import type { Jar, OpenService } from '../../kernel/service/index.ts';
import { ApiTokens } from './access/api-tokens.ts';
import { authorize } from './access/authorize.ts';
import { readerToken, shownToken } from './access/shown-tokens.ts';
import { TokenUses } from './access/token-uses.ts';
import { forgetDay } from './analytics/forget.ts';
import { purgeApp } from './apps/purge.ts';
import { lifecycleControl } from './control/routes.ts';
import { reportRetention } from './diagnostics/retention.ts';
import { purgeGroup } from './distribution/purge-group.ts';
import { pruneExports } from './exports/prune.ts';
import { runExport } from './exports/run.ts';
import { expireInvitation } from './invitations/expire.ts';
import type { LifecycleJar } from './jar.ts';
import { ignoredLogsOf } from './logs/ignored-logs.ts';
import { requireBody } from './require-body.ts';
import { checkRetirement } from './retirement.ts';
import { lifecycleRoutes } from './routes.ts';
import { takeStep } from './subject-rights/steps.ts';
import { expireUpload } from './symbols/expire.ts';
import { Mappings } from './symbols/mappings.ts';
import { unpackingGate } from './unpacking.ts';

export function openLifecycle(jar: Jar): OpenService {
  const own: LifecycleJar = {
    ...jar,
    apiTokens: new ApiTokens(jar.store),
    tokenUses: new TokenUses(jar),
    mappings: new Mappings(jar.store),
    unpacking: unpackingGate(),
    ignoredLogs: ignoredLogsOf(jar.metrics),
  };
  return {
    jar: own,
    routes: lifecycleRoutes,
    steps: [requireBody, checkRetirement, authorize],
    control: lifecycleControl,
    work: [
      purgeApp,
      purgeGroup,
      takeStep,
      forgetDay,
      expireInvitation,
      runExport,
      pruneExports,
      reportRetention,
      expireUpload,
    ],
    key: (access) => (access === 'full' ? shownToken(own) : readerToken(own)),
    stateReplaced() {
      for (const memory of [own.apiTokens, own.tokenUses, own.mappings]) memory.forget();
    },
    close: () => own.tokenUses.written(),
  };
}
