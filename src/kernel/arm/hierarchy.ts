import { collection, text } from '../store/collection.ts';
import type { Collection, Stored } from '../store/types.ts';
import { canonicalNamespace } from './ids.ts';

/** Management groups: the tree above subscriptions. The root group of a tenant is named by the tenant's id and has no document. */
export interface ManagementGroup {
  readonly tenantId: string;
  /** In the casing of the first write. */
  readonly name: string;
  readonly displayName: string;
  /** Name of the parent group, in lower case; absent directly below the root, and for the root itself. */
  readonly parent?: string;
  /** Increases with every change, also across deletions. */
  readonly version: number;
  readonly updatedAt: number;
  /** Object id of the principal that changed it last. */
  readonly updatedBy: string;
  /** Object id of the creator, if the creation assigned a role at the group; that role is deleted with the group. */
  readonly grantedTo?: string;
}

export const managementGroups = collection<ManagementGroup>('arm.management_groups', {
  fields: { tenantId: text((it) => it.tenantId.toLowerCase()), parent: text((it) => it.parent) },
  indexes: [['tenantId', 'parent']],
  cached: true,
});

/** Key of a group; names are unique within a tenant. */
export const managementGroupKey = (tenantId: string, name: string): string => `${tenantId}/${name}`.toLowerCase();

/** Settings of a tenant's groups; keyed by the tenant's id in lower case. */
export interface HierarchySettings {
  /** Name of the group for new groups and subscriptions, in lower case; absent: the root group. */
  readonly defaultManagementGroup?: string;
  readonly requireAuthorizationForGroupCreation: boolean;
}

export const hierarchySettings = collection<HierarchySettings>('arm.hierarchy_settings', { cached: true });

export const MANAGEMENT_GROUP_TYPE = 'Vendor.Management/managementGroups';

export const ROOT_DISPLAY_NAME = 'Tenant Root Group';

/** Maximum depth, not counting the root group. */
export const MOST_GROUP_LEVELS = 6;

export const managementGroupPath = (name: string): string => `/providers/${MANAGEMENT_GROUP_TYPE}/${name}`;

export const isRootGroup = (tenantId: string, name: string): boolean => name.toLowerCase() === tenantId.toLowerCase();

const GROUP_PATH = /^\/*providers\/([^/]+)\/managementGroups\/([^/]+)\/*$/i;

/** The name in the id of a management group, as written; undefined for any other id. */
export function managementGroupIn(id: string, aliases: readonly string[]): string | undefined {
  const [, namespace = '', name] = GROUP_PATH.exec(id) ?? [];
  return canonicalNamespace(namespace, aliases).toLowerCase() === 'vendor.management' ? name : undefined;
}

/** Reads a document, either in a transaction or with `readCached`. */
export type ReadDocument = <T>(collection: Collection<T>, key: string) => Promise<Stored<T> | undefined>;

/**
 * A group and the groups above it, nearest first, without the root group. Empty for the root group itself; undefined if the group does not
 * exist.
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
