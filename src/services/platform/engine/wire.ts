import { ok } from '../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, routeCode } from '../jar.ts';
import type { Need, Operation } from '../operation.ts';
import { readFields } from './fields.ts';
import { findObject } from './find.ts';
import type { ObjectKind } from './kind.ts';
import { listObjects, viewOf, viewsOf } from './list.ts';
import { readMask } from './mask.ts';
import { changeObject, createObject, deleteObject, restoreObject } from './operations.ts';
import type { PageSizes } from './paging.ts';

/** Method, path and summary of an operation on a kind of object. */
interface WireRow {
  readonly method: Operation['method'];
  readonly path: string;
  readonly needs?: Need;
}

/** Location of the object's id: the path (the default, as `{id}`), the query or the body, under the kind's name for it. */
type IdFrom = 'path' | 'query' | 'body';

export interface Wire {
  /** `Instance pools` in summaries, and `instancePools` in the names of operations. */
  readonly of: string;
  readonly operations: string;
  readonly versions?: readonly string[];
  /** `wraps`: the object is in this member of the body. The answer is the object, the object in that member, or only its id. */
  readonly create?: WireRow & { readonly wraps?: string; readonly answers?: 'object' | 'wrapped' | 'id' };
  readonly get?: WireRow & {
    readonly id?: IdFrom;
    readonly answers?: 'object' | 'wrapped';
    readonly wraps?: string;
    /** Includes objects in the trash. */
    readonly trashed?: true;
  };
  readonly list?: WireRow & {
    /** The member that contains the objects. Absent: the answer is an array. */
    readonly array?: string;
    /** `none`: everything at once. */
    readonly paging?: 'token' | 'none';
    readonly sizes?: PageSizes;
    /** The parameter of the path or query that names the parent. */
    readonly parent?: string;
  };
  readonly update?: WireRow & {
    readonly id?: IdFrom;
    readonly wraps?: string;
    /** Fields that the request lacks are reset to their defaults. */
    readonly replaces?: true;
    /** Location of `update_mask`. */
    readonly mask?: 'query' | 'body';
    readonly maskRequired?: true;
    /** Refused if it changes nothing. */
    readonly nonEmpty?: true;
    readonly answers?: 'object' | 'wrapped' | 'nothing';
  };
  readonly remove?: WireRow & { readonly id?: IdFrom };
  readonly restore?: WireRow & { readonly id?: IdFrom };
}

const EVERYTHING: PageSizes = { usual: 100_000, most: 100_000 };

/** The operations of a kind, derived from its wire description. */
export function kindOperations(kind: ObjectKind, wire: Wire): readonly Operation[] {
  const { of, operations, versions } = wire;
  const head = (row: WireRow, verb: string, summary: string) => ({
    method: row.method,
    path: row.path,
    ...(versions && { versions }),
    ...(row.needs && { needs: row.needs }),
    operation: `${operations}_${verb}`,
    summary: `${of}: ${summary}`,
  });
  const { create, get, list, update, remove, restore } = wire;
  const rows: Operation[] = [];
  if (create) {
    rows.push({
      ...head(create, 'create', 'create one'),
      code: routeCode([], {
        async handle(call) {
          const object = await createObject(call, kind, bodyOf(call, create.wraps));
          if (create.answers === 'id') return ok({ [kind.idField]: object.id });
          return ok(wrapped(await viewOf(call, kind, object), create.answers === 'wrapped' ? create.wraps : undefined));
        },
      }),
    });
  }
  if (get) {
    rows.push({
      ...head(get, 'get', 'read one'),
      code: routeCode([], {
        async handle(call) {
          const object = await findObject(call, kind, idOf(call, kind, get.id), { trashed: get.trashed ?? false });
          return ok(wrapped(await viewOf(call, kind, object), get.answers === 'wrapped' ? get.wraps : undefined));
        },
      }),
    });
  }
  if (list) {
    rows.push({
      ...head(list, 'list', 'list them'),
      code: routeCode([], {
        async handle(call) {
          const parent =
            list.parent &&
            textOf((call.params as Record<string, string>)[list.parent] ?? call.query[list.parent], list.parent);
          const sizes = list.paging === 'none' ? EVERYTHING : list.sizes;
          const { items, next } = await listObjects(call, kind, { ...(sizes && { sizes }), ...(parent && { parent }) });
          const views = await viewsOf(
            call,
            kind,
            items.map(({ value }) => value),
            { inList: true },
          );
          if (list.array === undefined) return ok(views);
          return ok({ [list.array]: views, ...(next !== undefined && { next_page_token: next }) });
        },
      }),
    });
  }
  if (update) {
    rows.push({
      ...head(update, 'update', update.replaces ? 'replace one' : 'change one'),
      code: routeCode([], {
        async handle(call) {
          const id = idOf(call, kind, update.id);
          const mask = maskOf(call, update.mask);
          if (update.maskRequired && !mask)
            throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'update_mask' });
          const sent = bodyOf(call, update.wraps);
          if (update.nonEmpty && Object.keys(readFields(kind.fields, sent)).length === 0)
            throw errors.INVALID_PARAMETER_VALUE({ reason: 'The request must have at least one field to change.' });
          const object = await changeObject(call, kind, id, sent, {
            replaces: update.replaces ?? false,
            ...(mask && { mask }),
          });
          if (update.answers === 'nothing') return ok({});
          return ok(wrapped(await viewOf(call, kind, object), update.answers === 'wrapped' ? update.wraps : undefined));
        },
      }),
    });
  }
  if (remove) {
    rows.push({
      ...head(remove, 'delete', kind.trashDays === undefined ? 'delete one' : 'move one to the trash'),
      code: routeCode([], {
        async handle(call) {
          await deleteObject(call, kind, idOf(call, kind, remove.id));
          return ok({});
        },
      }),
    });
  }
  if (restore) {
    rows.push({
      ...head(restore, 'restore', 'restore one from the trash'),
      code: routeCode([], {
        async handle(call) {
          await restoreObject(call, kind, idOf(call, kind, restore.id));
          return ok({});
        },
      }),
    });
  }
  return rows;
}

const wrapped = (view: JsonMembers, wraps: string | undefined): object =>
  wraps === undefined ? view : { [wraps]: view };

const membersOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {};

function bodyOf({ body }: PlatformCall, wraps: string | undefined): unknown {
  return wraps === undefined ? (body ?? {}) : (membersOf(body)[wraps] ?? {});
}

function idOf(call: PlatformCall, { idField }: ObjectKind, from: IdFrom = 'path'): string {
  if (from === 'path') return call.params.id as string;
  return textOf(from === 'query' ? call.query[idField] : membersOf(call.body)[idField], idField);
}

function textOf(value: unknown, field: string): string {
  const given = typeof value === 'number' ? String(value) : value;
  if (given === undefined || given === null || given === '')
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field });
  if (typeof given !== 'string')
    throw errors.MALFORMED_REQUEST({
      reason: `Could not parse request object: the field '${field}' must be a string.`,
    });
  return given;
}

function maskOf(call: PlatformCall, from: 'query' | 'body' | undefined): readonly string[] | undefined {
  if (from === undefined) return undefined;
  return from === 'query' ? readMask(call.query.update_mask) : readMask(membersOf(call.body).update_mask, 'one');
}
