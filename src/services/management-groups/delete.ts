import {
  isRootGroup,
  type ManagementGroup,
  managementGroupKey,
  managementGroupPath,
  managementGroups,
  originOf,
  recordOutcome,
  roleAssignments,
} from '../../kernel/arm/index.ts';
import { ApiError, noContent } from '../../kernel/http/index.ts';
import { armCode, type Jar } from '../../kernel/service/index.ts';
import type { Reader, Tx } from '../../kernel/store/index.ts';
import { workHandler } from '../../kernel/work/index.ts';
import { admitToGroup, settingsOf, tenantOf } from './access.ts';
import { lastVersions, operationKey } from './collections.ts';
import { groupErrors } from './errors.ts';
import { GROUPS_IN_TENANT } from './limits.ts';
import { beginOperation, begunAnswer, endOperation, failedWith, isUnderWay, startOperation } from './operations.ts';
import { BegunSchema } from './schemas.ts';
import { ancestorsOf, findGroup, hasChildren, lockTree } from './tree.ts';
import { DELETE, itemOf } from './work.ts';

/** Starts the deletion of a group without children. */
export const remove = armCode(['groupId'], {
  admit: admitToGroup,
  responses: { 202: BegunSchema, 204: 'There is none' },
  async handle(call, arm) {
    const { jar } = call;
    const tenantId = tenantOf(call);
    const { groupId } = call.params;
    if (isRootGroup(tenantId, groupId)) throw groupErrors.BadRequest__Root({ done: 'deleted' });
    const origin = originOf(call);
    const group = await jar.store.transact(async (tx) => {
      await lockTree(tx, tenantId);
      if (await isUnderWay(tx, 'create', tenantId, groupId)) throw groupErrors.Conflict__Creating({ group: groupId });
      const found = await findGroup(tx, tenantId, groupId);
      // A second DELETE returns the running deletion.
      if (!found || (await isUnderWay(tx, 'delete', tenantId, groupId))) return found;
      await refuseDeletion(tx, found);
      const { name } = found;
      const key = await beginOperation(tx, 'delete', { tenantId, name, by: origin.caller.objectId });
      await tx.schedule(DELETE.at(jar.clock.now(), { tenantId, name, origin }, itemOf(key)));
      return found;
    });
    arm.recorded = true;
    return group ? begunAnswer(call, arm, 'delete', group.name) : noContent();
  },
});

async function refuseDeletion(reader: Reader, group: ManagementGroup): Promise<void> {
  const { name, tenantId } = group;
  if (await hasChildren(reader, group)) throw groupErrors.BadRequest__HasChildren({ group: name });
  const { defaultManagementGroup } = await settingsOf(reader, tenantId);
  if (defaultManagementGroup === name.toLowerCase()) throw groupErrors.BadRequest__IsDefault({ group: name });
}

/** Deletes a group, unless it has got children since the answer. */
export const deleteGroup = workHandler(DELETE, async (item, jar: Jar) => {
  const { tenantId, name, origin } = item.payload;
  const key = operationKey(tenantId, 'delete', name);
  await jar.store.transact((tx) => startOperation(tx, key));
  try {
    await jar.store.transact(async (tx) => {
      await lockTree(tx, tenantId);
      const now = jar.clock.now();
      const above = await removeGroup(tx, jar, tenantId, name);
      await endOperation(tx, key, { status: 'Succeeded' }, now);
      await recordOutcome(tx, { ...origin, managementGroups: above }, now, 'Succeeded');
      await tx.complete(item);
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await jar.store.transact(async (tx) => {
      const now = jar.clock.now();
      await endOperation(tx, key, failedWith(error), now);
      await recordOutcome(tx, origin, now, 'Failed', { code: error.code, message: error.message });
      await tx.complete(item);
    });
  }
});

/** Returns the names of the former ancestors. */
async function removeGroup(tx: Tx, jar: Jar, tenantId: string, name: string): Promise<string[]> {
  const key = managementGroupKey(tenantId, name);
  // Locked against a concurrent move of a subscription into the group.
  const group = (await tx.get(managementGroups, key))?.value;
  if (!group) return [];
  await refuseDeletion(tx, group);
  const above = await ancestorsOf(tx, group);
  await tx.delete(managementGroups, key);
  await tx.put(lastVersions, key, { version: group.version });
  await jar.limits.freeQuota(tx, { limit: GROUPS_IN_TENANT, scope: [tenantId.toLowerCase()] });
  await withdrawOwner(tx, group);
  return above.map((each) => each.name);
}

/** The role that the creation granted is deleted with the group; other roles at the group stay. */
async function withdrawOwner(tx: Tx, { name, grantedTo }: ManagementGroup): Promise<void> {
  if (grantedTo === undefined) return;
  const key = grantedTo.toLowerCase();
  const held = (await tx.get(roleAssignments, key))?.value;
  if (!held) return;
  const granted = managementGroupPath(name);
  const assignments = held.assignments.filter(({ scope, role }) => scope !== granted || role !== 'Owner');
  await tx.put(roleAssignments, key, { ...held, assignments });
}
