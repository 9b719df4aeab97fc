import type { Jar, OpenService } from '../../kernel/service/index.ts';
import { authenticate } from './access/authenticate.ts';
import { ByObjects } from './access/by-objects.ts';
import { expireCredential } from './access/expire-credential.ts';
import { Standings } from './access/standing.ts';
import { throttle } from './access/throttle.ts';
import { TokenUses } from './access/token-uses.ts';
import { purgeObject } from './engine/purge.ts';
import type { PlatformJar } from './jar.ts';
import { AddressGuards } from './network/address-guards.ts';
import { checkAddress } from './network/guard.ts';
import { platformRoutes } from './routes.ts';

export function openPlatform(jar: Jar): OpenService & { readonly jar: PlatformJar } {
  const own: PlatformJar = {
    ...jar,
    standings: new Standings(jar),
    byObjects: new ByObjects(jar),
    addressGuards: new AddressGuards(jar),
    tokenUses: new TokenUses(jar),
  };
  return {
    jar: own,
    routes: platformRoutes,
    steps: [authenticate, checkAddress, throttle],
    work: [expireCredential, purgeObject],
    stateReplaced() {
      own.standings.forget();
      own.byObjects.forget();
      own.addressGuards.forget();
    },
    close: () => own.tokenUses.written(),
  };
}
