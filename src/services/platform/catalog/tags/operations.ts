import { ok } from '../../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { checkMask, readMask } from '../../engine/mask.ts';
import { readPage } from '../../engine/paging.ts';
import { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { requireReachable, requireVisible } from '../core/access.ts';
import { maxResults } from '../core/list.ts';
import { metastoreIn } from '../core/metastore.ts';
import { CATALOG_VERSIONS } from '../core/wire.ts';
import { type EntityTag, entityTags, tagPrefix } from './collections.ts';
import { type Entity, findEntity } from './entities.ts';
import { changeTag, checkKey, checkValue, createTag, deleteTag, noTag } from './tags.ts';

const PATH = '/unity-catalog/entity-tag-assignments';
const ENTITY = `${PATH}/{entity_type}/{entity_name}/tags`;
const ONE = `${ENTITY}/{tag_key}`;

const view = (type: string, name: string, { key, value }: EntityTag): JsonMembers => ({
  entity_type: type.toLowerCase(),
  entity_name: name,
  tag_key: key,
  tag_value: value,
});

async function readEntity(call: PlatformCall, type: string, name: string): Promise<Entity> {
  const entity = await findEntity(call.jar.store, await metastoreIn(call), type, name);
  requireVisible(call, entity.chain, { browse: true });
  requireReachable(call, entity.chain);
  return entity;
}

/** Fields that an update may name. */
const CHANGED = { tag_value: { type: 'string' } } as const;

/** Tags on objects of the catalog. */
export const TAG_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: PATH,
    versions: CATALOG_VERSIONS,
    operation: 'entityTagAssignments_create',
    summary: 'Assign a tag to an entity of the catalog',
    code: routeCode([], {
      async handle(call) {
        const sent = new Sent(call.body);
        const type = sent.need('entity_type');
        const name = sent.need('entity_name');
        const read = () => [checkKey(sent.need('tag_key')), checkValue(sent.text('tag_value') ?? '')] as const;
        return ok(view(type, name, await createTag(call, type, name, read)));
      },
    }),
  },
  {
    method: 'GET',
    path: ENTITY,
    versions: CATALOG_VERSIONS,
    operation: 'entityTagAssignments_list',
    summary: 'List the tags of an entity of the catalog',
    code: routeCode(['entity_type', 'entity_name'], {
      async handle(call) {
        const { entity_type: type, entity_name: name } = call.params;
        const { chain, column } = await readEntity(call, type, name);
        const { items, next } = await readPage(call, {
          collection: entityTags,
          query: { prefix: tagPrefix(chain.target.id, column), order: [{ field: 'key' }] },
          size: maxResults(call, { most: 1000, usual: 100 }),
        });
        const tags = items.map(({ value }) => view(type, name, value));
        return ok({ tag_assignments: tags, ...(next !== undefined && { next_page_token: next }) });
      },
    }),
  },
  {
    method: 'GET',
    path: ONE,
    versions: CATALOG_VERSIONS,
    operation: 'entityTagAssignments_get',
    summary: 'Read a tag of an entity of the catalog',
    code: routeCode(['entity_type', 'entity_name', 'tag_key'], {
      async handle(call) {
        const { entity_type: type, entity_name: name, tag_key: key } = call.params;
        const entity = await readEntity(call, type, name);
        const found = await call.jar.store.get(
          entityTags,
          `${tagPrefix(entity.chain.target.id, entity.column)}${key.slice(0, 1000)}`,
        );
        if (!found) throw noTag(entity, key);
        return ok(view(type, name, found.value));
      },
    }),
  },
  {
    method: 'PATCH',
    path: ONE,
    versions: CATALOG_VERSIONS,
    operation: 'entityTagAssignments_update',
    summary: 'Change the value of a tag of an entity of the catalog',
    code: routeCode(['entity_type', 'entity_name', 'tag_key'], {
      async handle(call) {
        const { entity_type: type, entity_name: name, tag_key: key } = call.params;
        const read = (): string => {
          const mask = readMask(call.query.update_mask);
          if (!mask) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'update_mask' });
          checkMask(mask, CHANGED, (field) => ['entity_type', 'entity_name', 'tag_key'].includes(field));
          return checkValue(new Sent(call.body).text('tag_value') ?? '');
        };
        return ok(view(type, name, await changeTag(call, type, name, key.slice(0, 1000), read)));
      },
    }),
  },
  {
    method: 'DELETE',
    path: ONE,
    versions: CATALOG_VERSIONS,
    operation: 'entityTagAssignments_delete',
    summary: 'Remove a tag from an entity of the catalog',
    code: routeCode(['entity_type', 'entity_name', 'tag_key'], {
      async handle(call) {
        const { entity_type: type, entity_name: name, tag_key: key } = call.params;
        await deleteTag(call, type, name, key.slice(0, 1000));
        return ok({});
      },
    }),
  },
];
