import type { Tx } from '../../../kernel/store/index.ts';
import { isMemberOf, nameOf } from '../access/standing.ts';
import type { PlatformJar } from '../jar.ts';
import { workspaces } from './collections.ts';

interface Acting {
  readonly accountId: string;
  readonly workspaceId: string;
  /** The id of the principal on whose behalf the work runs. */
  readonly principal: string;
}

/**
 * Returns why work may not run on behalf of a principal in a workspace, or undefined if it may. For work that starts without a call of the
 * principal, such as a scheduled run; a call is refused earlier, when it is authenticated.
 */
export async function reasonUnableToAct(
  tx: Tx,
  jar: PlatformJar,
  { accountId, workspaceId, principal }: Acting,
): Promise<string | undefined> {
  const standing = await jar.callerIdentities.within(tx, accountId, principal);
  if (!standing) return `The principal ${principal} was deleted.`;
  const name = nameOf(standing.principal);
  const { active, inactiveIn } = standing.principal;
  if (!active || inactiveIn?.includes(workspaceId)) return `${name} is deactivated.`;
  const known = jar.store.peek(workspaces, workspaceId)?.value;
  const workspace = known ?? (await tx.get(workspaces, workspaceId, 'none'))?.value;
  return workspace && isMemberOf(standing, workspace) ? undefined : `${name} is not in the workspace ${workspaceId}.`;
}
