import type { Tx } from '../../../kernel/store/index.ts';
import { isMemberOf, nameOf } from '../access/standing.ts';
import type { PlatformJar } from '../jar.ts';
import { workspaces } from './collections.ts';

interface Acting {
  readonly accountId: string;
  readonly workspaceId: string;
  /** The id of the principal in whose name something is done. */
  readonly principal: string;
}

/**
 * Why nothing is done in a principal's name in a workspace; undefined: it may be. For work that begins without a call of theirs, such as a scheduled
 * run: a call is refused before it gets anywhere.
 */
export async function unableToAct(
  tx: Tx,
  jar: PlatformJar,
  { accountId, workspaceId, principal }: Acting,
): Promise<string | undefined> {
  const standing = await jar.standings.within(tx, accountId, principal);
  if (!standing) return `The principal ${principal} was deleted.`;
  const name = nameOf(standing.principal);
  const { active, inactiveIn } = standing.principal;
  if (!active || inactiveIn?.includes(workspaceId)) return `${name} is deactivated.`;
  const known = jar.store.peek(workspaces, workspaceId)?.value;
  const workspace = known ?? (await tx.get(workspaces, workspaceId, 'none'))?.value;
  return workspace && isMemberOf(standing, workspace) ? undefined : `${name} is not in the workspace ${workspaceId}.`;
}
