import {
  isRootGroup,
  type ManagementGroup,
  managementGroupKey,
  managementGroups,
  mutate,
} from '../../kernel/arm/index.ts';
import { ok } from '../../kernel/http/index.ts';
import { armCode, type Call } from '../../kernel/service/index.ts';
import { admitToGroup, requireWrite, tenantOf } from './access.ts';
import { bodyValue, GROUP_PATCH } from './body.ts';
import { groupErrors } from './errors.ts';
import { groupNamedBy } from './names.ts';
import { refuseUnderWay } from './operations.ts';
import { GroupSchema } from './schemas.ts';
import { ancestorsOf, checkPlace, findGroup, levelsBelow, lockTree, parentKey } from './tree.ts';
import { groupView } from './view.ts';

export interface GroupChange {
  readonly displayName: string | undefined;
  /** The name of the new parent; undefined keeps the old one. */
  readonly parent: string | undefined;
}

/** Renames or moves a group. The caller must have write permission on it; a move also requires it at both parents. */
export async function updateGroup(
  call: Call,
  { tenantId, name, parent: before }: ManagementGroup,
  change: GroupChange,
): Promise<ManagementGroup> {
  const isRoot = isRootGroup(tenantId, name);
  if (change.parent !== undefined) {
    if (isRoot) throw groupErrors.BadRequest__Root({ done: 'moved' });
    if (parentKey(tenantId, change.parent) !== before) {
      await requireWrite(call, change.parent);
      await requireWrite(call, before ?? tenantId);
    }
  }
  return mutate(call, async (tx) => {
    await lockTree(tx, tenantId);
    const group = await findGroup(tx, tenantId, name);
    if (!group) throw groupErrors.NotFound({ group: name });
    await refuseUnderWay(tx, tenantId, name);
    const { parent: current, ...kept } = group;
    // The group was moved in the meantime, so the roles were checked for a different move.
    if (change.parent !== undefined && current !== before)
      throw groupErrors.Conflict__Moved({ what: `management group '${name}'` });
    const parent = change.parent === undefined ? current : parentKey(tenantId, change.parent);
    const displayName = change.displayName ?? group.displayName;
    // An update without a difference keeps the version and its author.
    if (parent === current && displayName === group.displayName) return group;
    const updated: ManagementGroup = {
      ...kept,
      displayName,
      ...(parent !== undefined && { parent }),
      version: group.version + 1,
      updatedAt: call.jar.clock.now(),
      updatedBy: call.caller?.objectId ?? '',
    };
    if (parent !== current) await checkPlace(tx, updated, (await levelsBelow(tx, group)).length);
    await tx.put(managementGroups, managementGroupKey(tenantId, name), updated);
    return updated;
  });
}

export const patch = armCode(['groupId'], {
  admit: admitToGroup,
  body: GROUP_PATCH.schema(),
  responses: { 200: GroupSchema },
  async handle(call, arm) {
    const { store, config } = call.jar;
    const { displayName, parentGroupId: id } = bodyValue(GROUP_PATCH, call.body);
    const group = await findGroup(store, tenantOf(call), call.params.groupId);
    if (!group) throw groupErrors.NotFound({ group: call.params.groupId });
    const parent = id ? groupNamedBy(id, 'parentGroupId', config.namespace) : undefined;
    const updated = await updateGroup(call, group, { displayName: displayName || undefined, parent });
    return ok(groupView(updated, await ancestorsOf(store, updated), arm));
  },
});
