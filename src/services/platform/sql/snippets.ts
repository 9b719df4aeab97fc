import { numericId } from '../../../kernel/ids/index.ts';
import type { ObjectKind } from '../engine/kind.ts';
import { kindOperations } from '../engine/wire.ts';
import type { Operation } from '../operation.ts';

/**
 * SQL snippets that a keyword in the editor inserts. The platform publishes no API for them: paths and shape are ours, modelled on the
 * product's own.
 */
export const SNIPPETS: ObjectKind = {
  name: 'query-snippets',
  title: 'Query snippet',
  scope: 'workspace',
  idField: 'id',
  newId: numericId,
  nameField: 'trigger',
  unique: 'scope',
  limit: 'query-snippets',
  changedBy: 'creator',
  fields: {
    trigger: { type: 'string', required: true, least: 1, most: 255 },
    description: { type: 'string', default: '' },
    snippet: { type: 'string', required: true },
  },
  view: ({ id, fields, createdBy, createdAt, updatedAt }, { nameOf }) => ({
    id: Number(id),
    ...fields,
    user: { id: Number(createdBy), email: nameOf(createdBy) },
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  }),
};

const PATH = '/preview/sql/query_snippets';

export const SNIPPET_OPERATIONS: readonly Operation[] = kindOperations(SNIPPETS, {
  of: 'Query snippets',
  operations: 'querySnippets',
  create: { method: 'POST', path: PATH },
  get: { method: 'GET', path: `${PATH}/{id}` },
  list: { method: 'GET', path: PATH, paging: 'none' },
  update: { method: 'POST', path: `${PATH}/{id}` },
  remove: { method: 'DELETE', path: `${PATH}/{id}` },
});
