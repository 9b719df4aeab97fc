import { isoTime } from '../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { textOf } from '../engine/json.ts';
import { parsedText } from '../engine/json-text.ts';
import type { KindPermissions, ObjectKind } from '../engine/kind.ts';
import { kindOperations } from '../engine/wire.ts';
import type { Operation } from '../operation.ts';
import { answersOnly } from './answers.ts';

export const QUERIES_NAME = 'queries';

export const QUERY_PERMISSIONS: KindPermissions = {
  type: 'queries',
  read: 'CAN_VIEW',
  change: 'CAN_EDIT',
  remove: 'CAN_MANAGE',
};

/** Visualizations of query results. A caller who may change the query may change its visualizations. */
export const VISUALIZATIONS: ObjectKind = {
  name: 'visualizations',
  title: 'Visualization',
  scope: 'workspace',
  idField: 'id',
  nameField: 'display_name',
  parent: { kind: QUERIES_NAME, field: 'query_id', permissions: QUERY_PERMISSIONS },
  limit: 'query-visualizations',
  fields: {
    ...answersOnly('id', 'create_time', 'update_time'),
    query_id: { type: 'string', required: true, fixed: true },
    type: { type: 'string', required: true, least: 1, most: 100 },
    display_name: { type: 'string', most: 1000 },
    serialized_options: { type: 'string' },
    serialized_query_plan: { type: 'string' },
    // Only in the older API.
    description: { type: 'string' },
  },
  hooks: {
    async check(_tx, _call, { fields }) {
      checkJson('serialized_options', fields);
      checkJson('serialized_query_plan', fields);
      return undefined;
    },
  },
  view({ id, fields, createdAt, updatedAt }) {
    const { description: _description, ...shown } = fields;
    return omitAbsent({ id, ...shown, create_time: isoTime(createdAt), update_time: isoTime(updatedAt) });
  },
};

/** Throws if the text is not JSON. */
export function checkJson(field: string, fields: JsonMembers): void {
  const text = textOf(fields[field]);
  if (text === undefined || text === '') return;
  parsedText(field, text);
}

const PATH = '/sql/visualizations';

export const VISUALIZATION_OPERATIONS: readonly Operation[] = kindOperations(VISUALIZATIONS, {
  of: 'Visualizations',
  operations: 'visualizations',
  create: { method: 'POST', path: PATH, wraps: 'visualization' },
  list: { method: 'GET', path: '/sql/queries/{id}/visualizations', array: 'results', parent: 'id' },
  update: { method: 'PATCH', path: `${PATH}/{id}`, wraps: 'visualization', mask: 'body', maskRequired: true },
  remove: { method: 'DELETE', path: `${PATH}/{id}` },
});
