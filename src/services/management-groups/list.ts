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
import { type Reader, readThrough } from '../../kernel/store/index.ts';
import { tenantOf } from './access.ts';
import { behind, type Keyed, LIST_OPTIONS, type PageRequest, pageAnswer } from './paging.ts';
import { ListedGroup } from './schemas.ts';
import { findGroup, levelsBelow, rootGroup } from './tree.ts';
import { listedView } from './view.ts';

/** The groups that the caller may read: all of the tenant, or those at and below the groups at which they have a role. */
export const list = armCode([], {
  query: LIST_OPTIONS,
  responses: { 200: Type.Object({ value: Type.Array(ListedGroup), nextLink: Type.Optional(Type.String()) }) },
  async handle(call, arm) {
    const tenantId = tenantOf(call);
    const { store } = call.jar;
    const seesAll = await mayUseGroup(call, tenantId, 'read');
    const read = seesAll
      ? (request: PageRequest) => someOfAll(store, tenantId, request)
      : async (request: PageRequest) => behind(await readable(call, tenantId), request);
    return pageAnswer(call, read, (group) => listedView(group, arm.prefix));
  },
});

/** The root group comes first, whether it has a document or not. */
const ROOT = '';

async function someOfAll(
  reader: Reader,
  tenantId: string,
  { after, limit }: PageRequest,
): Promise<Keyed<ManagementGroup>[]> {
  const root = after === undefined ? await rootGroup(reader, tenantId) : undefined;
  const { items } = await reader.query(managementGroups, {
    prefix: managementGroupKey(tenantId, ''),
    ...(after && { after: [after] }),
    // The document of the root group may be among them.
    limit: limit + 1,
  });
  const others = items.filter(({ value }) => !isRootGroup(tenantId, value.name));
  return [
    ...(root ? [{ key: ROOT, item: root }] : []),
    ...others.map(({ key, value }) => ({ key, item: value })),
  ].slice(0, limit);
}

async function readable(call: Call, tenantId: string): Promise<Keyed<ManagementGroup>[]> {
  const { store, config } = call.jar;
  const held = (await readThrough(store, roleAssignments, call.caller?.objectId.toLowerCase() ?? ''))?.value;
  const found = new Map<string, ManagementGroup>();
  for (const name of rolesAtGroups(held?.assignments ?? [], 'read', config.namespace)) {
    const group = await findGroup(store, tenantId, name);
    if (!group) continue;
    for (const each of (await levelsBelow(store, group)).flat())
      found.set(managementGroupKey(tenantId, each.name), each);
  }
  return [...found].map(([key, item]) => ({ key, item }));
}
