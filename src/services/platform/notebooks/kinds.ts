import type { Tx } from '../../../kernel/store/index.ts';
import type { ObjectKind, ParentRule } from '../engine/kind.ts';
import type { PlatformCall } from '../jar.ts';
import { treeNodes } from '../tree/collections.ts';
import { findById, keyOf } from '../tree/nodes.ts';
import { treeOf } from '../workspace/places.ts';

/** Dashboards and comments of notebooks. The real service publishes no API for them: paths and formats are ours. */

const NOTEBOOK: ParentRule = {
  kind: 'notebooks',
  field: 'notebook_id',
  async exists(tx: Tx, call: PlatformCall, id: string) {
    const found = (await findById(tx, treeOf(call), id))?.at(-1);
    // A deletion of the notebook waits for this transaction, and then finds what it has written.
    return found !== undefined && (await tx.get(treeNodes, keyOf(found), 'share'))?.value.id === id;
  },
};

const time = (at: number): string => new Date(at).toISOString();

export const NOTEBOOK_DASHBOARDS: ObjectKind = {
  name: 'notebook-dashboards',
  title: 'Notebook dashboard',
  scope: 'workspace',
  idField: 'dashboard_id',
  nameField: 'name',
  unique: 'parent',
  parent: NOTEBOOK,
  limit: 'notebook-dashboards',
  fields: {
    notebook_id: { type: 'string', required: true, fixed: true },
    name: { type: 'string', required: true, least: 1, most: 255 },
    /** The shown cells and their layout; stored as sent. */
    layout: { type: 'array', default: [], most: 10_000 },
  },
  view: ({ id, fields, createdBy, createdAt, updatedAt }, { nameOf }) => ({
    dashboard_id: id,
    ...fields,
    created_by: nameOf(createdBy),
    created_at: time(createdAt),
    updated_at: time(updatedAt),
  }),
};

export const NOTEBOOK_COMMENTS: ObjectKind = {
  name: 'notebook-comments',
  title: 'Notebook comment',
  scope: 'workspace',
  idField: 'comment_id',
  parent: NOTEBOOK,
  limit: 'notebook-comments',
  fields: {
    notebook_id: { type: 'string', required: true, fixed: true },
    text: { type: 'string', required: true, least: 1, most: 10_000 },
    /** The number of the cell it refers to, from 0. Absent: the whole notebook. */
    cell: { type: 'integer', least: 0 },
  },
  view: ({ id, fields, createdBy, createdAt, updatedAt }, { nameOf }) => ({
    comment_id: id,
    ...fields,
    author: nameOf(createdBy),
    created_at: time(createdAt),
    updated_at: time(updatedAt),
  }),
};
