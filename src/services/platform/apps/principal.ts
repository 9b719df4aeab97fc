import { uuid } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { assign } from '../accounts/assign.ts';
import type { Workspace } from '../accounts/collections.ts';
import { addPrincipal, identitiesChanged, lockIdentities, newPrincipal, principalOf } from '../accounts/principals.ts';
import { removePrincipal } from '../accounts/remove-principal.ts';
import type { PlatformJar } from '../jar.ts';
import type { App, AppPrincipal } from './collections.ts';

type PrincipalJar = Pick<PlatformJar, 'clock' | 'limits'>;

/** Creates the service principal of a new app, and assigns it to the workspace. From here on, the transaction holds the account lock. */
export async function addAppPrincipal(
  tx: Tx,
  jar: PrincipalJar,
  workspace: Workspace,
  app: Pick<App, 'id' | 'name'>,
): Promise<AppPrincipal> {
  const { accountId } = workspace;
  await lockIdentities(tx, accountId);
  const displayName = `app-${app.id.slice(0, 6)} ${app.name}`;
  const applicationId = uuid();
  const made = await addPrincipal(tx, jar, {
    ...newPrincipal(jar.clock.now()),
    accountId,
    kind: 'servicePrincipal',
    applicationId,
    displayName,
  });
  await assign(tx, jar, made, workspace);
  await identitiesChanged(tx, jar, accountId);
  return { id: made.id, applicationId, name: displayName };
}

/** An administrator may already have removed it. */
export async function removeAppPrincipal(tx: Tx, jar: PrincipalJar, { accountId, principal }: App): Promise<void> {
  await lockIdentities(tx, accountId);
  const found = await principalOf(tx, accountId, principal.id);
  if (!found) return;
  await removePrincipal(tx, jar, found);
  await identitiesChanged(tx, jar, accountId);
}
