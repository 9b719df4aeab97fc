import {
  isRootGroup,
  type ManagementGroup,
  managementGroupIn,
  managementGroupKey,
  managementGroupPath,
  managementGroups,
  recordOutcome,
  roleAssignments,
} from '../../kernel/arm/index.ts';
import { ApiError } from '../../kernel/http/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import type { Tx } from '../../kernel/store/index.ts';
import { workHandler } from '../../kernel/work/index.ts';
import { lastVersions, operationKey } from './collections.ts';
import { groupErrors } from './errors.ts';
import { GROUPS_IN_TENANT } from './limits.ts';
import { endOperation, failedWith, startOperation } from './operations.ts';
import { checkPlace, findGroup, lockTree } from './tree.ts';
import { CREATE, type Creation } from './work.ts';

/** Creates a group. All checks run again, because the state may have changed since the answer. */
export const createGroup = workHandler(CREATE, async (item, jar: Jar) => {
  const { payload } = item;
  const { tenantId, name, origin } = payload;
  const key = operationKey(tenantId, 'create', name);
  await jar.store.transact((tx) => startOperation(tx, key));
  try {
    await jar.store.transact(async (tx) => {
      const { displayName, version, updatedAt } = await make(tx, jar, payload);
      await endOperation(tx, key, { status: 'Succeeded', made: { displayName, version, updatedAt } }, updatedAt);
      await recordOutcome(tx, origin, updatedAt, 'Succeeded');
      await tx.complete(item);
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await jar.store.transact(async (tx) => {
      const now = jar.clock.now();
      await jar.limits.freeQuota(tx, { limit: GROUPS_IN_TENANT, scope: [tenantId.toLowerCase()] });
      await endOperation(tx, key, failedWith(error), now);
      await recordOutcome(tx, origin, now, 'Failed', { code: error.code, message: error.message });
      await tx.complete(item);
    });
  }
});

async function make(tx: Tx, jar: Jar, creation: Creation): Promise<ManagementGroup> {
  const { tenantId, name, displayName, parent, origin } = creation;
  const { objectId } = origin.caller;
  await lockTree(tx, tenantId);
  if (await findGroup(tx, tenantId, name)) throw groupErrors.Conflict__Creating({ group: name });
  await checkPlace(tx, creation, 1);
  const key = managementGroupKey(tenantId, name);
  const before = (await tx.get(lastVersions, key))?.value.version ?? 0;
  const isGranted = await grantOwner(tx, jar, objectId, { tenantId, name });
  const group: ManagementGroup = {
    tenantId,
    name,
    displayName,
    ...(parent !== undefined && { parent }),
    version: before + 1,
    updatedAt: jar.clock.now(),
    updatedBy: objectId,
    ...(isGranted && { grantedTo: objectId }),
  };
  await tx.put(managementGroups, key, group);
  await tx.delete(lastVersions, key);
  return group;
}

/** The creator becomes owner. Owners of the root need no role for each group, which would only slow down their requests. */
async function grantOwner(
  tx: Tx,
  { config }: Jar,
  principalId: string,
  { tenantId, name }: Pick<ManagementGroup, 'tenantId' | 'name'>,
): Promise<boolean> {
  const key = principalId.toLowerCase();
  const held = (await tx.get(roleAssignments, key))?.value ?? { principalId: key, assignments: [] };
  const isOwner = held.assignments.some(({ scope, role }) => {
    const group = managementGroupIn(scope, config.namespace);
    const isAbove = scope === '/' || (group !== undefined && isRootGroup(tenantId, group));
    return role === 'Owner' && (isAbove || group?.toLowerCase() === name.toLowerCase());
  });
  if (isOwner) return false;
  const granted = { scope: managementGroupPath(name), role: 'Owner' as const };
  await tx.put(roleAssignments, key, { ...held, assignments: [...held.assignments, granted] });
  return true;
}
