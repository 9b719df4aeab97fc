import { sha256 } from '../../../../kernel/auth/index.ts';
import { ok } from '../../../../kernel/http/index.ts';
import { type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import { type FieldRules, readFields } from '../../engine/fields.ts';
import { findObject } from '../../engine/find.ts';
import { numberedFolders } from '../../engine/folders.ts';
import { membersOf, textOf } from '../../engine/json.ts';
import { namesOf } from '../../engine/names.ts';
import type { PlatformObject } from '../../engine/objects.ts';
import { changeObject, createObject } from '../../engine/operations.ts';
import { kindOperations } from '../../engine/wire.ts';
import { accountIn, type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { QUERIES } from '../queries.ts';
import { QUERY_PERMISSIONS, VISUALIZATIONS } from '../visualizations.ts';
import { legacyHead, legacyRights, objectsBelow } from './common.ts';
import { numberedPage } from './paging.ts';
import { fromLegacyParameters, legacyQueryOptions } from './parameters.ts';
import { legacyVisualization } from './visualizations.ts';

/** Queries in the older API. Both APIs share the same queries. A data source is a SQL warehouse here. */

const FIELDS: FieldRules = {
  name: { type: 'string' },
  query: { type: 'string' },
  data_source_id: { type: 'string' },
  description: { type: 'string' },
  options: { type: 'object', members: { parameters: { type: 'array' } } },
  parent: { type: 'string', most: 200 },
  run_as_role: { type: 'string', words: ['owner', 'viewer'] },
  tags: { type: 'array' },
};

function fromLegacy(sent: unknown): JsonMembers {
  const { name, query, data_source_id, description, options, parent, run_as_role, tags } = readFields(FIELDS, sent);
  const { parameters } = membersOf(options);
  return omitAbsent({
    display_name: name,
    query_text: query,
    warehouse_id: data_source_id,
    description,
    tags,
    parent_path: parent,
    run_as_mode: textOf(run_as_role)?.toUpperCase(),
    parameters: parameters && fromLegacyParameters(parameters),
  });
}

async function views(call: PlatformCall, found: readonly PlatformObject[]): Promise<readonly JsonMembers[]> {
  const people = found.flatMap(({ createdBy, updatedBy, owner = createdBy }) => [owner, updatedBy]);
  const context = await namesOf(call.jar.store, accountIn(call).id, people);
  const folders = await numberedFolders(call, found);
  return found.map((object) => {
    const { fields, createdBy, owner = createdBy, updatedBy } = object;
    const text = textOf(fields.query_text) ?? '';
    return omitAbsent({
      ...legacyHead(object, context),
      ...legacyRights(call, QUERY_PERMISSIONS, object),
      name: fields.display_name,
      query: text,
      query_hash: sha256(`${owner}${text}`),
      latest_query_data_id: null,
      is_safe: true,
      data_source_id: fields.warehouse_id,
      description: fields.description,
      tags: fields.tags ?? [],
      options: legacyQueryOptions(object),
      parent: folders.get(object.folder ?? '/'),
      run_as_role: textOf(fields.run_as_mode)?.toLowerCase(),
      last_modified_by_id: Number(updatedBy),
      last_modified_by: {
        id: Number(updatedBy),
        name: context.nameOf(updatedBy),
        email: context.nameOf(updatedBy),
      },
    });
  });
}

async function answer(call: PlatformCall, object: PlatformObject) {
  const [view] = await views(call, [object]);
  const drawn = await objectsBelow(call, VISUALIZATIONS, object.id);
  return ok({ ...view, visualizations: drawn.map(legacyVisualization) });
}

const PATH = '/preview/sql/queries';
const head = (operation: string, summary: string) =>
  ({ operation: `legacyQueries_${operation}`, summary: `Queries (older API): ${summary}` }) as const;

export const LEGACY_QUERY_OPERATIONS: readonly Operation[] = [
  {
    ...head('create', 'create one'),
    method: 'POST',
    path: PATH,
    code: routeCode([], {
      handle: async (call) => answer(call, await createObject(call, QUERIES, fromLegacy(call.body ?? {}))),
    }),
  },
  {
    ...head('list', 'list them'),
    method: 'GET',
    path: PATH,
    code: routeCode([], {
      async handle(call) {
        const { found, ...page } = await numberedPage(call, QUERIES);
        return ok({ ...page, results: await views(call, found) });
      },
    }),
  },
  {
    ...head('get', 'read one'),
    method: 'GET',
    path: `${PATH}/{id}`,
    code: routeCode(['id'], {
      handle: async (call) => answer(call, await findObject(call, QUERIES, call.params.id, { trashed: true })),
    }),
  },
  {
    ...head('update', 'change one'),
    method: 'POST',
    path: `${PATH}/{id}`,
    code: routeCode(['id'], {
      handle: async (call) =>
        answer(call, await changeObject(call, QUERIES, call.params.id, fromLegacy(call.body ?? {}))),
    }),
  },
  ...kindOperations(QUERIES, {
    of: 'Queries (older API)',
    operations: 'legacyQueries',
    remove: { method: 'DELETE', path: `${PATH}/{id}` },
    restore: { method: 'POST', path: `${PATH}/trash/{id}` },
  }),
];
