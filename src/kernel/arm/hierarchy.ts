import { collection, text } from '../store/collection.ts';

/** Management groups: the tree above subscriptions. The root group of a tenant has the tenant's id as its name and needs no document. */
export interface ManagementGroup {
  readonly tenantId: string;
  /** With the casing of its first write. */
  readonly name: string;
  readonly displayName: string;
  /** The name of the group above it, in lower case; absent below the root, and for the root itself. */
  readonly parent?: string;
  /** Grows with every change, across deletions too. */
  readonly version: number;
  readonly updatedAt: number;
  /** Object id of whoever changed it last. */
  readonly updatedBy: string;
}

export const managementGroups = collection<ManagementGroup>('arm.management_groups', {
  fields: { tenantId: text((it) => it.tenantId.toLowerCase()), parent: text((it) => it.parent) },
  indexes: [['tenantId', 'parent']],
  cached: true,
});

/** The key of a group; names are unique in their tenant. */
export const managementGroupKey = (tenantId: string, name: string): string => `${tenantId}/${name}`.toLowerCase();

/** How the groups of a tenant are used; the key is the id of the tenant in lower case. */
export interface HierarchySettings {
  /** The name of the group that new groups and subscriptions go to, in lower case; absent: the root group. */
  readonly defaultManagementGroup?: string;
  readonly requireAuthorizationForGroupCreation: boolean;
}

export const hierarchySettings = collection<HierarchySettings>('arm.hierarchy_settings', { cached: true });
