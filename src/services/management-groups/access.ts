import {
  type ArmCall,
  armFacts,
  authorizeGroup,
  type HierarchySettings,
  hierarchySettings,
  isRootGroup,
  managementGroupKey,
  managementGroups,
  mayUseGroup,
  refusedAtGroup,
} from '../../kernel/arm/index.ts';
import { type Reader, readThrough } from '../../kernel/store/index.ts';

/** Who may do what. Roles at a group count for all that is below it. */

export const tenantOf = (call: Pick<ArmCall, 'caller'>): string => call.caller?.tenantId ?? '';

/** A call about one group. */
export type GroupCall = ArmCall<{ readonly groupId: string }>;

/** Of routes with a `{groupId}`: the caller needs a role there, one that may write unless the route only reads. */
export const admitToGroup = (call: GroupCall): Promise<void> => authorizeGroup(call, call.params.groupId);

/** A group that does not exist may be made by anybody of the tenant, as far as its parent lets them: see `requireBelow`. */
export async function admitToPut(call: GroupCall): Promise<void> {
  const tenantId = tenantOf(call);
  const { groupId: name } = call.params;
  const exists =
    isRootGroup(tenantId, name) ||
    (await readThrough(call.jar.store, managementGroups, managementGroupKey(tenantId, name))) !== undefined;
  if (exists) return authorizeGroup(call, name);
  armFacts(call).managementGroup = { tenantId, name };
}

/** The caller needs a role that may write at a group, which need not exist. */
export async function requireWrite(call: ArmCall, name: string): Promise<void> {
  if (!(await mayUseGroup(call, name, 'write'))) throw refusedAtGroup(call, name);
}

/** New groups go below the root or the default group without a role there, unless the settings of the tenant say otherwise. */
export async function requireBelow(call: ArmCall, parent: string, settings: HierarchySettings): Promise<void> {
  const isOpen =
    isRootGroup(tenantOf(call), parent) || parent.toLowerCase() === settings.defaultManagementGroup?.toLowerCase();
  if (isOpen && !settings.requireAuthorizationForGroupCreation) return;
  await requireWrite(call, parent);
}

const NO_SETTINGS: HierarchySettings = { requireAuthorizationForGroupCreation: false };

/** The settings of a tenant, or what holds where there are none. */
export const settingsOf = async (reader: Reader, tenantId: string): Promise<HierarchySettings> =>
  (await reader.get(hierarchySettings, tenantId.toLowerCase(), 'none'))?.value ?? NO_SETTINGS;

/** Where groups and subscriptions go that are put nowhere else. */
export const defaultGroupOf = async (reader: Reader, tenantId: string): Promise<string> =>
  (await settingsOf(reader, tenantId)).defaultManagementGroup ?? tenantId;
