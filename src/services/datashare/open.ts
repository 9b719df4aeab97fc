import { Calls } from '../../kernel/outbound/index.ts';
import type { Jar, OpenService } from '../../kernel/service/index.ts';
import { ACCOUNT_DEFINITION, finishAccount, forgetAccount } from './accounts/account.ts';
import { finishTrigger, fire } from './consumers/trigger.ts';
import { dataShareControl } from './control/routes.ts';
import { PiecePool } from './copying/index.ts';
import { expireInvitation, expireSubscription } from './due.ts';
import type { DataShareJar } from './jar.ts';
import { purge } from './purge.ts';
import { dataShareRoutes } from './routes.ts';
import { runSynchronization } from './runs/execute.ts';
import { settingsOf, storageRootOf } from './settings.ts';
import { finishRevocation } from './shares/consumer.ts';
import { metered } from './storage/egress.ts';
import { openStorage } from './storage/index.ts';

export function openDataShare(jar: Jar): OpenService {
  const calls = new Calls();
  // Cancelled before due work ends, so that a run waiting for blob storage does not delay closing the jar.
  jar.closing.addEventListener('abort', () => calls.cancelCalls());
  const storage = openStorage({
    root: storageRootOf(jar),
    accounts: settingsOf(jar).storageAccounts ?? {},
    outbound: jar.outbound,
    calls,
  });
  const own: DataShareJar = {
    ...jar,
    storage: { account: (name) => metered(jar, name, storage.account(name)) },
    pieces: new PiecePool(),
  };
  return {
    jar: own,
    routes: dataShareRoutes,
    control: dataShareControl,
    work: [
      finishAccount,
      finishTrigger,
      purge,
      finishRevocation,
      expireInvitation,
      expireSubscription,
      fire,
      runSynchronization,
    ],
    onDelete: {
      [ACCOUNT_DEFINITION.type]: (tx, resource, context: DataShareJar) => forgetAccount(tx, resource, context),
    },
  };
}
