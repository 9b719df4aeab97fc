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
import { type Reader, readCached } from '../../kernel/store/index.ts';

/** Access checks. A role at a group applies to everything below it. */

export const tenantOf = (call: Pick<ArmCall, 'caller'>): string => call.caller?.tenantId ?? '';

export type GroupCall = ArmCall<{ readonly groupId: string }>;

/** For routes with a `{groupId}`: requires a role there, with write permission unless the route only reads. */
export const admitToGroup = (call: GroupCall): Promise<void> => authorizeGroup(call, call.params.groupId);

/** Any principal of the tenant may create a missing group, if its parent allows that: see `requireCreateBelow`. */
export async function admitToPut(call: GroupCall): Promise<void> {
  const tenantId = tenantOf(call);
  const { groupId: name } = call.params;
  const exists =
    isRootGroup(tenantId, name) ||
    (await readCached(call.jar.store, managementGroups, managementGroupKey(tenantId, name))) !== undefined;
  if (exists) return authorizeGroup(call, name);
  armFacts(call).managementGroup = { tenantId, name };
}

/** Requires a role with write permission at a group, which need not exist. */
export async function requireWrite(call: ArmCall, name: string): Promise<void> {
  if (!(await mayUseGroup(call, name, 'write'))) throw refusedAtGroup(call, name);
}

/** Groups can be created below the root and the default group without a role there, unless the tenant's settings require one. */
export async function requireCreateBelow(call: ArmCall, parent: string, settings: HierarchySettings): Promise<void> {
  const isOpen =
    isRootGroup(tenantOf(call), parent) || parent.toLowerCase() === settings.defaultManagementGroup?.toLowerCase();
  if (isOpen && !settings.requireAuthorizationForGroupCreation) return;
  await requireWrite(call, parent);
}

const NO_SETTINGS: HierarchySettings = { requireAuthorizationForGroupCreation: false };

/** The settings of a tenant, or the defaults. */
export const settingsOf = async (reader: Reader, tenantId: string): Promise<HierarchySettings> =>
  (await reader.get(hierarchySettings, tenantId.toLowerCase(), 'none'))?.value ?? NO_SETTINGS;

/** The default parent of new groups and subscriptions. */
export const defaultGroupOf = async (reader: Reader, tenantId: string): Promise<string> =>
  (await settingsOf(reader, tenantId)).defaultManagementGroup ?? tenantId;
