import { ok } from '../../../kernel/http/index.ts';
import type { Collection, Filter } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { membersOf } from '../engine/json.ts';
import { pageSize, readPage } from '../engine/paging.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import type { Operation } from '../operation.ts';

/** Helpers for operations of both sides of the marketplace. */

export const notFound = (what: string, id: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({ reason: `${what} ${id.slice(0, 100)} does not exist.` });

/** The object in a member of the body, or the body itself without that member. */
export function sentIn({ body }: Pick<PlatformCall, 'body'>, member: string): JsonMembers {
  const whole = membersOf(body as JsonMembers | undefined);
  const inner = whole[member];
  if (inner === undefined || inner === null) return whole;
  if (typeof inner !== 'object' || Array.isArray(inner))
    throw errors.MALFORMED_REQUEST({
      reason: `Could not parse request object: the field '${member}' must be an object.`,
    });
  return inner as JsonMembers;
}

const SIZES = { usual: 50, most: 1000 };

interface ListRequest<T> {
  readonly collection: Collection<T>;
  readonly filter: Filter | undefined;
  readonly order: string;
  /** The member that contains the items. */
  readonly array: string;
  view(item: T): object | Promise<object>;
}

/** A page of a list, the newest first. */
export async function listAnswer<T>(call: PlatformCall, { collection, filter, order, array, view }: ListRequest<T>) {
  const { items, next } = await readPage(call, {
    collection,
    query: { ...(filter && { filter }), order: [{ field: order, descending: true }] },
    size: pageSize(call.query, SIZES),
  });
  const views = await Promise.all(items.map(({ value }) => view(value)));
  return ok({ [array]: views, ...(next !== undefined && { next_page_token: next }) });
}

type Row = Omit<Operation, 'path' | 'rated' | 'bare' | 'versions'>;

const prefixed =
  (prefix: string, versions: readonly string[]) =>
  (path: string, row: Row): Operation => ({
    ...row,
    path: `${prefix}${path}`,
    versions,
    rated: `${prefix}${path}`,
    // The paths in the table of rate limits.
    bare: [`${prefix}${path}`],
  });

/** Operations of providers, for administrators of a workspace. */
export const ofProviders = (path: string, row: Row): Operation => ({
  ...prefixed('/marketplace-provider', ['2.0'])(path, row),
  needs: 'admin',
});

/** Operations of consumers. */
export const ofConsumers = prefixed('/marketplace-consumer', ['2.1']);

export const ofExchanges = (path: string, row: Row): Operation => ({
  ...row,
  path: `/marketplace-exchange${path}`,
  needs: 'admin',
});
