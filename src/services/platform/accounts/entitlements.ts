import { type Reader, readAll, type Tx } from '../../../kernel/store/index.ts';
import type { CallerIdentity } from '../access/standing.ts';
import { type Entitlements, entitlements, entitlementsKey, type Principal, type Workspace } from './collections.ts';
import { batchesOf } from './principals.ts';

export const ENTITLEMENTS = [
  'allow-cluster-create',
  'allow-instance-pool-create',
  'databricks-sql-access',
  'workspace-access',
  'workspace-consume',
] as const;

export type Entitlement = (typeof ENTITLEMENTS)[number];

/** Entitlements that the groups of a new workspace give to their members. */
export const USER_ENTITLEMENTS: readonly Entitlement[] = ['workspace-access', 'databricks-sql-access'];
export const ADMIN_ENTITLEMENTS: readonly Entitlement[] = [
  ...USER_ENTITLEMENTS,
  'allow-cluster-create',
  'allow-instance-pool-create',
];

export async function setEntitlements(
  tx: Tx,
  workspace: Pick<Workspace, 'id'>,
  { accountId, id }: Pick<Principal, 'accountId' | 'id'>,
  given: Pick<Entitlements, 'entitlements' | 'roles'>,
): Promise<void> {
  const key = entitlementsKey(workspace.id, id);
  if (given.entitlements.length + given.roles.length === 0) {
    await tx.delete(entitlements, key);
    return;
  }
  await tx.put(entitlements, key, { accountId, workspaceId: workspace.id, principal: id, ...given });
}

/** Entitlements that are directly granted to these principals in a workspace, by principal id. */
export async function entitlementsOf(
  reader: Reader,
  accountId: string,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, Entitlements>> {
  const found = new Map<string, Entitlements>();
  for (const batch of batchesOf(ids)) {
    const values = batch.map((id) => `${accountId}/${id}`);
    const documents = await readAll(reader, entitlements, { filter: { op: 'in', field: 'principal', values } });
    for (const { value } of documents) if (value.workspaceId === workspaceId) found.set(value.principal, value);
  }
  return found;
}

/** Whether the caller, or a group that contains the caller, has an entitlement in a workspace. */
export async function isEntitled(
  reader: Reader,
  workspace: Pick<Workspace, 'id' | 'accountId'>,
  { ids }: Pick<CallerIdentity, 'ids'>,
  entitlement: Entitlement,
): Promise<boolean> {
  const given = await entitlementsOf(reader, workspace.accountId, workspace.id, ids);
  return [...given.values()].some(({ entitlements: list }) => list.includes(entitlement));
}
