import type { Tx } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import type { AclEntry } from './acl.ts';
import { readEntries } from './entries.ts';
import type { Guarded } from './guard.ts';
import { rankOf, typeRow } from './levels.ts';
import { type Addressed, findGuarded, isAdmin, kindOf, requireManagement } from './object.ts';

const OWNER = 'IS_OWNER';

/** Changes the direct permissions. `merges` keeps entries of principals that the request does not name, and never lowers a level. */
export async function changeAcl(call: PlatformCall, addressed: Addressed, merges: boolean): Promise<Guarded> {
  const { jar } = call;
  const workspace = workspaceIn(call);
  requireManagement(call, await findGuarded(jar.store, call, addressed));
  const entries = await readEntries(jar.store, workspace, addressed, call.body);
  return jar.store.transact(async (tx) => {
    const guarded = await findGuarded(tx, call, addressed);
    requireManagement(call, guarded);
    const acl = merges ? merged(guarded, entries) : entries;
    checkOwner(call, guarded, acl);
    await kindOf(addressed).save(tx, workspace.id, addressed.id, acl);
    await recordPermissions(tx, call, addressed);
    return { ...guarded, acl };
  });
}

function merged({ type, acl }: Guarded, entries: readonly AclEntry[]): readonly AclEntry[] {
  const all = new Map(acl.map((entry) => [entry.principal, entry]));
  for (const entry of entries) {
    const held = all.get(entry.principal);
    const isMore = !held || rankOf(type, held.level) < rankOf(type, entry.level);
    if (isMore || entry.level === OWNER) all.set(entry.principal, entry);
  }
  return [...all.values()];
}

/** Types with owners have exactly one owner, whom only administrators and the previous owner may replace. */
function checkOwner(call: PlatformCall, { type, acl: before }: Guarded, after: readonly AclEntry[]): void {
  const { owned, objectType } = typeRow(type);
  if (!owned) return;
  const ownersOf = (acl: readonly AclEntry[]) => acl.filter(({ level }) => level === OWNER);
  const [owner, second] = ownersOf(after);
  if (!owner || second)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The ${objectType.replace(/s$/, '')} must have exactly one owner.`,
    });
  const { id } = callerIdentity(call).principal;
  const previous = ownersOf(before)[0]?.principal;
  if (owner.principal !== previous && previous !== id && !isAdmin(call))
    throw errors.PERMISSION_DENIED({
      reason: `Only an administrator or the owner can change the owner of a ${objectType}.`,
    });
}

export const recordPermissions = (tx: Tx, call: PlatformCall, { type, id }: Addressed): Promise<void> =>
  tx.change({
    source: 'platform',
    kind: 'update',
    subject: `/${workspaceIn(call).id}/permissions/${type}/${id}`,
    outcome: 'Succeeded',
    at: call.jar.clock.now(),
    data: { kind: 'permissions', type, id },
  });
