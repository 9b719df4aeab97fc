import {
  groupsUpFrom,
  isRootGroup,
  type ManagementGroup,
  MOST_GROUP_LEVELS,
  managementGroupKey,
  managementGroups,
  ROOT_DISPLAY_NAME,
  type Subscription,
  subscriptions,
} from '../../kernel/arm/index.ts';
import { allOf, eq, type Filter, type Reader, readAll, type Tx } from '../../kernel/store/index.ts';
import { groupErrors } from './errors.ts';

/** Reads of the tree, in a transaction or outside. Names that identify groups are in lower case; `undefined` is the root. */

/** Serialises all writes of a tenant's tree, so that rules across several groups hold. */
export const lockTree = (tx: Tx, tenantId: string): Promise<void> =>
  tx.lock(`management-groups:${tenantId.toLowerCase()}`);

/** The root group before its first change. */
const untouchedRoot = (tenantId: string): ManagementGroup => ({
  tenantId,
  name: tenantId,
  displayName: ROOT_DISPLAY_NAME,
  version: 0,
  updatedAt: 0,
  updatedBy: '',
});

export const rootGroup = async (reader: Reader, tenantId: string): Promise<ManagementGroup> =>
  (await stored(reader, tenantId, tenantId)) ?? untouchedRoot(tenantId);

/** A group; the root group always exists. */
export const findGroup = (reader: Reader, tenantId: string, name: string): Promise<ManagementGroup | undefined> =>
  isRootGroup(tenantId, name) ? rootGroup(reader, tenantId) : stored(reader, tenantId, name);

const stored = async (reader: Reader, tenantId: string, name: string): Promise<ManagementGroup | undefined> =>
  (await reader.get(managementGroups, managementGroupKey(tenantId, name), 'none'))?.value;

/** The value of `parent` for children of the group: undefined for the root. */
export const parentKey = (tenantId: string, name: string): string | undefined =>
  isRootGroup(tenantId, name) ? undefined : name.toLowerCase();

/** The ancestors of a group, from its parent to the root. */
export async function ancestorsOf(reader: Reader, group: ManagementGroup): Promise<readonly ManagementGroup[]> {
  const { tenantId, name, parent } = group;
  if (isRootGroup(tenantId, name)) return [];
  const above = parent === undefined ? [] : await upFrom(reader, tenantId, parent);
  return [...(above ?? []), await rootGroup(reader, tenantId)];
}

const upFrom = (reader: Reader, tenantId: string, name: string) =>
  groupsUpFrom((collection, key) => reader.get(collection, key, 'none'), tenantId, name);

/** Maximum number of values in one filter: the stores accept more, but not any number. */
const MOST_PARENTS = 500;

/** The child groups of several groups, ordered by name. */
export async function groupsBelow(
  reader: Reader,
  tenantId: string,
  parents: readonly (string | undefined)[],
): Promise<ManagementGroup[]> {
  const found: ManagementGroup[] = [];
  for (const filter of parentFilters('parent', parents)) {
    const query = { filter: allOf(eq('tenantId', tenantId.toLowerCase()), filter) };
    for (const { value } of await readAll(reader, managementGroups, query)) {
      if (!isRootGroup(tenantId, value.name)) found.push(value);
    }
  }
  return found;
}

/** The subscriptions that are children of several groups. */
export async function subscriptionsBelow(
  reader: Reader,
  tenantId: string,
  parents: readonly (string | undefined)[],
): Promise<Subscription[]> {
  const found: Subscription[] = [];
  for (const filter of parentFilters('managementGroup', parents)) {
    const query = { filter: allOf(eq('tenantId', tenantId), filter) };
    for (const { value } of await readAll(reader, subscriptions, query)) found.push(value);
  }
  return found;
}

function parentFilters(field: string, parents: readonly (string | undefined)[]): Filter[] {
  const names = parents.filter((name) => name !== undefined);
  const filters: Filter[] = names.length < parents.length ? [eq(field, null)] : [];
  for (let at = 0; at < names.length; at += MOST_PARENTS)
    filters.push({ op: 'in', field, values: names.slice(at, at + MOST_PARENTS) });
  return filters;
}

/** The descendants of a group by level; the group itself is the first level. */
export async function levelsBelow(reader: Reader, group: ManagementGroup): Promise<ManagementGroup[][]> {
  const { tenantId } = group;
  const levels: ManagementGroup[][] = [[group]];
  for (let level = levels[0] as ManagementGroup[]; ; levels.push(level)) {
    level = await groupsBelow(
      reader,
      tenantId,
      level.map(({ name }) => parentKey(tenantId, name)),
    );
    if (level.length === 0) return levels;
  }
}

/** Throws if a group cannot be placed there: a new one, or one that has `height` levels including its descendants. */
export async function checkPlace(
  reader: Reader,
  group: Pick<ManagementGroup, 'tenantId' | 'name' | 'parent'>,
  height: number,
): Promise<void> {
  const { tenantId, name, parent } = group;
  if (parent === undefined) return;
  const above = await upFrom(reader, tenantId, parent);
  if (!above) throw groupErrors.NotFound__Parent({ group: parent });
  const shown = above[0]?.name ?? parent;
  if (above.some((each) => each.name.toLowerCase() === name.toLowerCase())) {
    const relation = parent === name.toLowerCase() ? 'the group itself' : 'below it';
    throw groupErrors.BadRequest__Cycle({ group: name, parent: shown, relation });
  }
  if (above.length + height > MOST_GROUP_LEVELS)
    throw groupErrors.BadRequest__TooDeep({ group: name, parent: shown, most: MOST_GROUP_LEVELS });
}

/** Number of groups of a tenant, without the root group, which has a document once it was changed. */
export async function countGroups(tx: Tx, tenantId: string): Promise<number> {
  const count = await tx.count(managementGroups, { prefix: managementGroupKey(tenantId, '') });
  return (await stored(tx, tenantId, tenantId)) ? count - 1 : count;
}

export async function hasChildren(reader: Reader, { tenantId, name }: ManagementGroup): Promise<boolean> {
  const value = name.toLowerCase();
  const groups = allOf(eq('tenantId', tenantId.toLowerCase()), eq('parent', value));
  if ((await reader.query(managementGroups, { filter: groups, limit: 1 })).items.length > 0) return true;
  const members = allOf(eq('tenantId', tenantId), eq('managementGroup', value));
  return (await reader.query(subscriptions, { filter: members, limit: 1 })).items.length > 0;
}
