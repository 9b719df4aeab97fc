import { collection, text } from '../store/collection.ts';
import type { Collection, Stored } from '../store/types.ts';
import { canonicalNamespace } from './ids.ts';

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
  /** Object id of its creator, where the creation gave them a role at the group: the role goes with the group. */
  readonly grantedTo?: string;
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

export const MANAGEMENT_GROUP_TYPE = 'Vendor.Management/managementGroups';

export const ROOT_DISPLAY_NAME = 'Tenant Root Group';

/** Groups below one another, the root group not counted. */
export const MOST_GROUP_LEVELS = 6;

export const managementGroupPath = (name: string): string => `/providers/${MANAGEMENT_GROUP_TYPE}/${name}`;

export const isRootGroup = (tenantId: string, name: string): boolean => name.toLowerCase() === tenantId.toLowerCase();

const GROUP_PATH = /^\/*providers\/([^/]+)\/managementGroups\/([^/]+)\/*$/i;

/** The name in the id of a management group, as it is written there; undefined for any other id. */
export function managementGroupIn(id: string, aliases: readonly string[]): string | undefined {
  const [, namespace = '', name] = GROUP_PATH.exec(id) ?? [];
  return canonicalNamespace(namespace, aliases).toLowerCase() === 'vendor.management' ? name : undefined;
}

/** Reads a document within a transaction, or from memory by `readThrough`. */
export type ReadDocument = <T>(collection: Collection<T>, key: string) => Promise<Stored<T> | undefined>;

/**
 * A group and the groups above it, the nearest first and without the root group, which is above all of them: none for the root group
 * itself, undefined for a group that does not exist.
 */
export async function groupsUpFrom(
  read: ReadDocument,
  tenantId: string,
  name: string,
): Promise<readonly ManagementGroup[] | undefined> {
  const chain: ManagementGroup[] = [];
  let above: string | undefined = name;
  while (above !== undefined && !isRootGroup(tenantId, above) && chain.length < MOST_GROUP_LEVELS) {
    const stored: Stored<ManagementGroup> | undefined = await read(
      managementGroups,
      managementGroupKey(tenantId, above),
    );
    if (!stored) return undefined;
    chain.push(stored.value);
    above = stored.value.parent;
  }
  return chain;
}
