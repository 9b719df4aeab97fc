import { isoTime } from '../../../kernel/time/index.ts';
import { omitAbsent } from '../../../kernel/values/index.ts';
import { inFolder, shownFolder } from '../engine/folders.ts';
import { textOf } from '../engine/json.ts';
import type { KindPermissions, ObjectKind } from '../engine/kind.ts';
import { kindOperations } from '../engine/wire.ts';
import type { Operation } from '../operation.ts';
import { answersOnly, COMMON_ANSWERS } from './answers.ts';
import { ownerName, shownName } from './owner.ts';
import { checkParameters, PARAMETER } from './query-parameters.ts';
import { queryResults, resultKey } from './results/collections.ts';
import { TRASH_DAYS } from './trash.ts';
import { QUERIES_NAME, QUERY_PERMISSIONS, VISUALIZATIONS } from './visualizations.ts';

/** Saved queries. The older API (`legacy/`) returns the same queries with other field names. */
export const QUERIES: ObjectKind = {
  name: QUERIES_NAME,
  title: 'Query',
  scope: 'workspace',
  idField: 'id',
  nameField: 'display_name',
  folderField: 'parent_path',
  unique: 'folder',
  trashDays: TRASH_DAYS,
  permissions: QUERY_PERMISSIONS satisfies KindPermissions,
  children: [VISUALIZATIONS],
  ownerField: 'owner_user_name',
  fields: {
    ...COMMON_ANSWERS,
    ...answersOnly('last_modifier_user_name'),
    display_name: { type: 'string', least: 1, default: 'New Query' },
    query_text: { type: 'string', default: '' },
    warehouse_id: { type: 'string' },
    description: { type: 'string' },
    tags: { type: 'array', most: 100, items: { type: 'string', most: 1000 } },
    parent_path: { type: 'string' },
    run_as_mode: { type: 'string', words: ['OWNER', 'VIEWER'], default: 'OWNER' },
    catalog: { type: 'string' },
    schema: { type: 'string' },
    apply_auto_limit: { type: 'boolean' },
    parameters: {
      type: 'array',
      most: 1000,
      items: { type: 'object', members: PARAMETER },
    },
  },
  hooks: {
    check(tx, call, { fields }, before) {
      checkParameters(fields.parameters);
      return inFolder(tx, call, QUERIES, fields, before);
    },
    async deleted(tx, _jar, { scope, id }) {
      await tx.delete(queryResults, resultKey(scope, id));
    },
  },
  view: (object, context) => ({
    ...QUERIES.listed?.(object, context),
    parent_path: shownFolder(textOf(object.fields.parent_path) ?? ''),
  }),
  listed(object, context) {
    const { id, fields, updatedBy, createdAt, updatedAt, trashedAt } = object;
    const { parent_path: _parentPath, ...shown } = fields;
    return omitAbsent({
      id,
      ...shown,
      owner_user_name: ownerName(object, context),
      last_modifier_user_name: shownName(updatedBy, context),
      lifecycle_state: trashedAt === undefined ? 'ACTIVE' : 'TRASHED',
      create_time: isoTime(createdAt),
      update_time: isoTime(updatedAt),
    });
  },
};

const PATH = '/sql/queries';

export const QUERY_OPERATIONS: readonly Operation[] = kindOperations(QUERIES, {
  of: 'Queries',
  operations: 'queries',
  create: { method: 'POST', path: PATH, wraps: 'query' },
  get: { method: 'GET', path: `${PATH}/{id}`, trashed: true },
  list: { method: 'GET', path: PATH, array: 'results' },
  update: { method: 'PATCH', path: `${PATH}/{id}`, wraps: 'query', mask: 'body', maskRequired: true },
  remove: { method: 'DELETE', path: `${PATH}/{id}` },
});
