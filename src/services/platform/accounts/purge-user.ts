import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { readStanding } from '../access/standing.ts';
import type { PlatformJar } from '../jar.ts';
import type { Principal } from './collections.ts';
import { identitiesChanged, lockIdentities, principalsOf } from './principals.ts';
import { removePrincipal } from './remove-principal.ts';
import { PURGE_USER, purgeUserId } from './work.ts';

/** A user who was deleted from its last workspace stays in the account for this long. */
const KEPT_DAYS = 30;

/** Called in the transaction that deletes a user from a workspace. An assignment to any workspace cancels the scheduled purge. */
export async function schedulePurge(tx: Tx, { clock }: Pick<Jar, 'clock'>, user: Principal): Promise<void> {
  if (user.kind !== 'user' || (user.workspaces ?? []).length > 0) return;
  const { accountId, id } = user;
  const due = clock.now() + KEPT_DAYS * DAY_MS;
  await tx.schedule(PURGE_USER.at(due, { accountId, user: id }, purgeUserId(accountId, id)));
}

export const purgeUser = workHandler(PURGE_USER, async (item, jar: PlatformJar) => {
  const { accountId, user } = item.payload;
  await jar.store.transact(async (tx) => {
    await lockIdentities(tx, accountId);
    const standing = await readStanding(tx, accountId, user);
    // Administrators own the account and are kept. A group of the account may have brought the user back to a workspace.
    if (standing && !standing.isAccountAdmin && !(await isInWorkspace(tx, accountId, standing.groups))) {
      await removePrincipal(tx, jar, standing.principal);
      await identitiesChanged(tx, jar, accountId);
      await tx.change({
        source: 'platform',
        kind: 'delete',
        subject: `/${accountId}/Users/${user}`,
        outcome: 'Succeeded',
        at: jar.clock.now(),
        data: { kind: 'user', id: user, account: accountId },
      });
    }
    await tx.complete(item);
  });
});

/** Every member of a workspace is in one of its system groups. */
async function isInWorkspace(tx: Tx, accountId: string, groups: Iterable<string>): Promise<boolean> {
  for (const { system, workspaceId } of (await principalsOf(tx, accountId, groups)).values())
    if (system && workspaceId !== undefined) return true;
  return false;
}
