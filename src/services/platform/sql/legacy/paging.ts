import { allOf, eq } from '../../../../kernel/store/index.ts';
import { scopeOf } from '../../engine/find.ts';
import type { ObjectKind } from '../../engine/kind.ts';
import { objects, type PlatformObject, placeOf } from '../../engine/objects.ts';
import { pageSize, wholeNumber } from '../../engine/paging.ts';
import { errors } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';
import { readersFilter } from '../../permissions/guard.ts';

const SIZES = { usual: 25, most: 250 };
/** Limited, because the entries before a page are read too. */
const MOST_SKIPPED = 100_000;

/** Accepted orders of lists. Queries are not executed here, so ordering by execution time falls back to creation. */
const ORDERS: Readonly<Record<string, string>> = {
  name: 'name',
  created_at: 'createdAt',
  created_by: 'createdBy',
  executed_at: 'createdAt',
  runtime: 'createdAt',
};

export interface NumberedPage {
  readonly count: number;
  readonly page: number;
  readonly page_size: number;
  readonly found: readonly PlatformObject[];
}

/** A page by number, as in the older API: `page` starts at 1, `q` is a part of the name. */
export async function numberedPage(call: PlatformCall, kind: ObjectKind): Promise<NumberedPage> {
  const { query, jar } = call;
  const page = wholeNumber(query, 'page') ?? 1;
  const size = pageSize(query, SIZES);
  if (page < 1 || (page - 1) * size > MOST_SKIPPED)
    throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'page' must be the number of a page, from 1 on." });
  const part = typeof query.q === 'string' && query.q !== '' ? query.q.toLowerCase() : undefined;
  const filter = allOf(
    eq('place', placeOf(scopeOf(call, kind), kind.name)),
    eq('trashedAt', null),
    readersFilter(call),
    part === undefined ? undefined : { op: 'contains', field: 'name', value: part },
  );
  const count = await jar.store.count(objects, { ...(filter && { filter }) });
  const skip = (page - 1) * size;
  const { items } = await jar.store.query(objects, {
    ...(filter && { filter }),
    order: [orderOf(call)],
    skip,
    limit: size,
  });
  return { count, page, page_size: size, found: items.map(({ value }) => value) };
}

function orderOf({ query }: PlatformCall): { readonly field: string; readonly descending: boolean } {
  const asked = typeof query.order === 'string' && query.order !== '' ? query.order : 'created_at';
  const descending = asked.startsWith('-');
  const name = descending ? asked.slice(1) : asked;
  const field = Object.hasOwn(ORDERS, name) ? ORDERS[name] : undefined;
  if (field === undefined)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The parameter 'order' must be one of ${Object.keys(ORDERS).join(', ')}.`,
    });
  return { field, descending };
}
