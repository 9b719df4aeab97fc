import { Type } from 'typebox';
import {
  isRootGroup,
  type ManagementGroup,
  managementGroupKey,
  managementGroups,
  mayUseGroup,
  roleAssignments,
  rolesAtGroups,
} from '../../kernel/arm/index.ts';
import { armCode, type Call } from '../../kernel/service/index.ts';
import { type Reader, readAll, readCached } from '../../kernel/store/index.ts';
import { tenantOf } from './access.ts';
import { behind, type Keyed, LIST_OPTIONS, type PageRequest, pageAnswer } from './paging.ts';
import { ListedGroup } from './schemas.ts';
import { findGroup, groupsBelow, parentKey, rootGroup } from './tree.ts';
import { listedView } from './view.ts';

/** The groups that the caller may read: all groups of the tenant, or the groups at and below the caller's roles. */
export const list = armCode([], {
  query: LIST_OPTIONS,
  responses: {
    200: Type.Object({
      value: Type.Array(ListedGroup),
      nextLink: Type.Optional(Type.String()),
      '@nextLink': Type.Optional(Type.Null()),
    }),
  },
  async handle(call, arm) {
    const tenantId = tenantOf(call);
    const { store } = call.jar;
    const seesAll = await mayUseGroup(call, tenantId, 'read');
    const read = seesAll
      ? (request: PageRequest) => pageOfAllGroups(store, tenantId, request)
      : async (request: PageRequest) => behind(await readable(call, tenantId), request);
    // The real service uses this name for a missing next page.
    return pageAnswer(call, read, (group) => listedView(group, arm), { atEnd: { '@nextLink': null } });
  },
});

/** The root group comes first, whether it has a document or not. */
const ROOT = '';

async function pageOfAllGroups(
  reader: Reader,
  tenantId: string,
  { after, limit }: PageRequest,
): Promise<Keyed<ManagementGroup>[]> {
  const root = after === undefined ? await rootGroup(reader, tenantId) : undefined;
  const { items } = await reader.query(managementGroups, {
    prefix: managementGroupKey(tenantId, ''),
    ...(after && { after: [after] }),
    // One more, because the document of the root group may be among them.
    limit: limit + 1,
  });
  const others = items.filter(({ value }) => !isRootGroup(tenantId, value.name));
  return [
    ...(root ? [{ key: ROOT, item: root }] : []),
    ...others.map(({ key, value }) => ({ key, item: value })),
  ].slice(0, limit);
}

/**
 * The groups at which the caller has a role, and their descendants level by level. Each group is read once, however many roles there are.
 */
async function readable(call: Call, tenantId: string): Promise<Keyed<ManagementGroup>[]> {
  const { store, config } = call.jar;
  const held = (await readCached(store, roleAssignments, call.caller?.objectId.toLowerCase() ?? ''))?.value;
  const names = rolesAtGroups(held?.assignments ?? [], 'read', config.namespace);
  const found = new Map<string, ManagementGroup>();
  const add = (groups: readonly ManagementGroup[]): ManagementGroup[] => {
    const added = groups.filter(({ name }) => !found.has(managementGroupKey(tenantId, name)));
    for (const each of added) found.set(managementGroupKey(tenantId, each.name), each);
    return added;
  };
  for (let level = add(await groupsNamed(store, tenantId, names)); level.length > 0; ) {
    const keys = level.map(({ name }) => parentKey(tenantId, name));
    level = add(await groupsBelow(store, tenantId, keys));
  }
  return [...found].map(([key, item]) => ({ key, item }));
}

/** Above this number of names, reading all groups of the tenant is faster than reading single groups. */
const MOST_SINGLE_READS = 100;

async function groupsNamed(
  reader: Reader,
  tenantId: string,
  names: ReadonlySet<string>,
): Promise<readonly ManagementGroup[]> {
  if (names.size > MOST_SINGLE_READS) {
    const all = await readAll(reader, managementGroups, { prefix: managementGroupKey(tenantId, '') });
    return all.map(({ value }) => value).filter(({ name }) => names.has(name.toLowerCase()));
  }
  const found: ManagementGroup[] = [];
  for (const name of names) {
    const group = await findGroup(reader, tenantId, name);
    if (group) found.push(group);
  }
  return found;
}
