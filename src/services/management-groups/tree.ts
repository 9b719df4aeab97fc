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

/** Reads of the tree, in a transaction or outside of one. Names are in lower case where they stand for a group, `undefined` for the root. */

/** Rules over several groups hold since every write of a tenant's tree waits for the one before. */
export const lockTree = (tx: Tx, tenantId: string): Promise<void> =>
  tx.lock(`management-groups:${tenantId.toLowerCase()}`);

/** The root group as it is until somebody changes it. */
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

/** A group; the root group is always there. */
export const findGroup = (reader: Reader, tenantId: string, name: string): Promise<ManagementGroup | undefined> =>
  isRootGroup(tenantId, name) ? rootGroup(reader, tenantId) : stored(reader, tenantId, name);

const stored = async (reader: Reader, tenantId: string, name: string): Promise<ManagementGroup | undefined> =>
  (await reader.get(managementGroups, managementGroupKey(tenantId, name), 'none'))?.value;

/** How a group is named as a parent: the root by nothing. */
export const parentKey = (tenantId: string, name: string): string | undefined =>
  isRootGroup(tenantId, name) ? undefined : name.toLowerCase();

/** The groups above a group, the nearest first and the root last. */
export async function ancestorsOf(reader: Reader, group: ManagementGroup): Promise<readonly ManagementGroup[]> {
  const { tenantId, name, parent } = group;
  if (isRootGroup(tenantId, name)) return [];
  const above = parent === undefined ? [] : await upFrom(reader, tenantId, parent);
  return [...(above ?? []), await rootGroup(reader, tenantId)];
}

const upFrom = (reader: Reader, tenantId: string, name: string) =>
  groupsUpFrom((collection, key) => reader.get(collection, key, 'none'), tenantId, name);

/** Values of one filter at most: both stores take more, but not without limit. */
const MOST_PARENTS = 500;

/** The groups right below some others, in the order of their names. */
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

/** The subscriptions right below some groups. */
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

/** The groups below a group, level by level; the group itself is the first level. */
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

/** Refuses a place for a group that does not exist yet, or that has this many levels with what is below it. */
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

/** How many groups a tenant has, without the root group, which has a document once it was changed. */
export async function countGroups(tx: Tx, tenantId: string): Promise<number> {
  const count = await tx.count(managementGroups, { prefix: managementGroupKey(tenantId, '') });
  return (await stored(tx, tenantId, tenantId)) ? count - 1 : count;
}

/** Whether there is anything right below a group. */
export async function hasChildren(reader: Reader, { tenantId, name }: ManagementGroup): Promise<boolean> {
  const value = name.toLowerCase();
  const groups = allOf(eq('tenantId', tenantId.toLowerCase()), eq('parent', value));
  if ((await reader.query(managementGroups, { filter: groups, limit: 1 })).items.length > 0) return true;
  const members = allOf(eq('tenantId', tenantId), eq('managementGroup', value));
  return (await reader.query(subscriptions, { filter: members, limit: 1 })).items.length > 0;
}
