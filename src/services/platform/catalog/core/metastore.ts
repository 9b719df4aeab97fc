import { createHash } from 'node:crypto';
import type { ReadLock, Tx } from '../../../../kernel/store/index.ts';
import type { Account, Workspace } from '../../accounts/collections.ts';
import { type Actor, accountIn, type PlatformJar, workspaceIn } from '../../jar.ts';
import { byId, noMetastore } from './chain.ts';
import { metastoreAssignments } from './collections.ts';
import { doesNotExist } from './errors.ts';
import { createRegionMetastore } from './found-metastore.ts';
import { keyOf, type Securable, securables } from './securables.ts';

/** The first metastore of a region has the same id in every jar, so that configurations can name it. */
export function metastoreIdOf(accountId: string, region: string): string {
  const hex = createHash('sha256').update(`platform metastore of ${accountId} in ${region}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * The metastore of the call's workspace. A workspace that was never assigned or unassigned uses the metastore of its region, which the
 * first call creates.
 */
export async function metastoreIn(call: Actor): Promise<Securable> {
  return metastoreOfWorkspace(call.jar, accountIn(call), workspaceIn(call));
}

export async function metastoreOfWorkspace(
  jar: PlatformJar,
  account: Account,
  workspace: Workspace,
): Promise<Securable> {
  const assigned = (await jar.store.cached(metastoreAssignments, workspace.id))?.value;
  if (assigned) {
    const found = assigned.metastore === null ? undefined : await byId(jar.store, assigned.metastore);
    if (!found) throw noMetastore(workspace.id);
    return found;
  }
  return jar.store.transact((tx) => assignFirst(tx, jar, account, workspace));
}

async function assignFirst(tx: Tx, jar: PlatformJar, account: Account, workspace: Workspace): Promise<Securable> {
  const id = metastoreIdOf(account.id, workspace.region);
  await tx.lock(`platform.metastore:${id}`);
  const assigned = (await tx.get(metastoreAssignments, workspace.id))?.value;
  if (assigned) {
    const found = assigned.metastore === null ? undefined : await byId(tx, assigned.metastore);
    if (!found) throw noMetastore(workspace.id);
    return found;
  }
  return createRegionMetastore(tx, jar, { account, workspace, id });
}

/** In a transaction: the current metastore, locked against removal. */
export async function metastoreNow(tx: Tx, metastore: Securable, lock: ReadLock = 'share'): Promise<Securable> {
  const found = (await tx.get(securables, keyOf(metastore), lock))?.value;
  if (found?.id === metastore.id) return found;
  // It was renamed meanwhile; the caller may retry.
  throw doesNotExist('metastore', metastore.name);
}
