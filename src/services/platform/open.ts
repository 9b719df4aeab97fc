import type { Jar, OpenService } from '../../kernel/service/index.ts';
import { authenticate } from './access/authenticate.ts';
import { ByObjects } from './access/by-objects.ts';
import { Standings } from './access/standing.ts';
import { throttle } from './access/throttle.ts';
import { COMPUTE_HANDLERS } from './compute/handlers.ts';
import { purgeObject } from './engine/purge.ts';
import type { PlatformJar } from './jar.ts';
import { platformRoutes } from './routes.ts';

export function openPlatform(jar: Jar): OpenService & { readonly jar: PlatformJar } {
  const own: PlatformJar = { ...jar, standings: new Standings(jar), byObjects: new ByObjects(jar) };
  return {
    jar: own,
    routes: platformRoutes,
    steps: [authenticate, throttle],
    work: [...COMPUTE_HANDLERS, purgeObject],
    stateReplaced() {
      own.standings.forget();
      own.byObjects.forget();
    },
  };
}
