import { ok } from '../../../kernel/http/index.ts';
import { findObject, notFound } from '../engine/find.ts';
import type { ObjectKind } from '../engine/kind.ts';
import { listObjects, viewOf, viewsOf } from '../engine/list.ts';
import type { PlatformObject } from '../engine/objects.ts';
import { changeObject, createObject, deleteObject } from '../engine/operations.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { allows, requireLevel } from '../permissions/guard.ts';
import { findById } from '../tree/nodes.ts';
import { guardedOf } from '../workspace/guarded.ts';
import { treeOf } from '../workspace/places.ts';
import { NOTEBOOK_COMMENTS, NOTEBOOK_DASHBOARDS } from './kinds.ts';

interface ExtraRow {
  readonly kind: ObjectKind;
  /** The last segment of the path, and the member of a list. */
  readonly word: string;
  readonly one: string;
  /** Level on the notebook that is needed to create one. */
  readonly create: string;
  /** Only its author may change and delete it; managers of the notebook may delete it as well. */
  readonly byAuthor?: true;
}

const EXTRAS: readonly ExtraRow[] = [
  { kind: NOTEBOOK_DASHBOARDS, word: 'dashboards', one: 'dashboard', create: 'CAN_EDIT' },
  { kind: NOTEBOOK_COMMENTS, word: 'comments', one: 'comment', create: 'CAN_READ', byAuthor: true },
];

async function guardedNotebook(call: PlatformCall, level: string) {
  const id = String(call.params.notebook_id);
  const nodes = await findById(call.jar.store, treeOf(call), id);
  if (nodes?.at(-1)?.type !== 'NOTEBOOK')
    throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Notebook ${id.slice(0, 100)} does not exist.` });
  const guarded = guardedOf(nodes);
  requireLevel(call, guarded, level);
  return guarded;
}

async function find(call: PlatformCall, { kind }: ExtraRow): Promise<PlatformObject> {
  const id = String(call.params.id);
  const object = await findObject(call, kind, id);
  if (object.parent !== call.params.notebook_id) throw notFound(kind, id);
  return object;
}

/** Finds an object that the caller may change: any caller who may create one, or only its author. */
async function findToChange(call: PlatformCall, row: ExtraRow, deletes: boolean): Promise<PlatformObject> {
  const guarded = await guardedNotebook(call, row.create);
  const object = await find(call, row);
  const isAuthor = object.createdBy === callerIdentity(call).principal.id;
  if (!row.byAuthor || isAuthor || (deletes && allows(call, guarded, 'CAN_MANAGE'))) return object;
  throw errors.PERMISSION_DENIED({ reason: `The ${row.one} ${object.id} belongs to another user.` });
}

function operationsOf(row: ExtraRow): readonly Operation[] {
  const { kind, word, one } = row;
  const path = `/platform/notebooks/{notebook_id}/${word}`;
  const head = (verb: string, summary: string) => ({
    operation: `notebook${word.replace(/^./, (letter) => letter.toUpperCase())}_${verb}`,
    summary: `Notebooks: ${summary}`,
  });
  return [
    {
      method: 'POST',
      path,
      ...head('create', `add a ${one}`),
      code: routeCode(['notebook_id'], {
        async handle(call) {
          await guardedNotebook(call, row.create);
          const body = typeof call.body === 'object' && call.body !== null ? call.body : {};
          const object = await createObject(call, kind, { ...body, notebook_id: call.params.notebook_id });
          return ok(await viewOf(call, kind, object));
        },
      }),
    },
    {
      method: 'GET',
      path,
      ...head('list', `list ${word}`),
      code: routeCode(['notebook_id'], {
        async handle(call) {
          await guardedNotebook(call, 'CAN_READ');
          const { items, next } = await listObjects(call, kind, { parent: call.params.notebook_id });
          const found = items.map(({ value }) => value);
          const views = await viewsOf(call, kind, found);
          return ok({ [word]: views, ...(next !== undefined && { next_page_token: next }) });
        },
      }),
    },
    {
      method: 'GET',
      path: `${path}/{id}`,
      ...head('get', `read a ${one}`),
      code: routeCode(['notebook_id', 'id'], {
        async handle(call) {
          await guardedNotebook(call, 'CAN_READ');
          return ok(await viewOf(call, kind, await find(call, row)));
        },
      }),
    },
    {
      method: 'PATCH',
      path: `${path}/{id}`,
      ...head('update', `change a ${one}`),
      code: routeCode(['notebook_id', 'id'], {
        async handle(call) {
          const { id } = await findToChange(call, row, false);
          return ok(await viewOf(call, kind, await changeObject(call, kind, id, call.body ?? {})));
        },
      }),
    },
    {
      method: 'DELETE',
      path: `${path}/{id}`,
      ...head('delete', `delete a ${one}`),
      code: routeCode(['notebook_id', 'id'], {
        async handle(call) {
          const { id } = await findToChange(call, row, true);
          await deleteObject(call, kind, id);
          return ok({});
        },
      }),
    },
  ];
}

export const NOTEBOOK_OPERATIONS: readonly Operation[] = EXTRAS.flatMap(operationsOf);
