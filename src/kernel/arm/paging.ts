import { decodeSkipToken, encodeSkipToken, nextLink } from '../http/paging.ts';
import { type Answer, type Call, ok } from '../http/route.ts';
import type { Collection, Query } from '../store/types.ts';
import { gatewayErrors } from './errors.ts';
import { queryValue } from './gateway.ts';

const PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1000;

/** A page of a list as management clients expect it: `value`, and `nextLink` while there is more. */
export async function listPage<T>(
  call: Call,
  collection: Collection<T>,
  query: Pick<Query, 'prefix' | 'filter' | 'order'>,
  view: (document: T) => unknown,
  extra: Record<string, unknown> = {},
): Promise<Answer> {
  const list = `${call.path.toLowerCase()}?${queryValue(call, '$filter') ?? ''}&${queryValue(call, '$orderby') ?? ''}`;
  const token = queryValue(call, '$skiptoken');
  const after = token === undefined ? undefined : decodeSkipToken(call.jar.vault, list, token);
  if (token !== undefined && after === undefined) throw gatewayErrors.InvalidSkipToken();
  const page = await call.jar.store.query(collection, { ...query, after, limit: pageSize(call) });
  return ok({
    value: page.items.map((item) => view(item.value)),
    ...extra,
    ...(page.next && { nextLink: nextLink(call, encodeSkipToken(call.jar.vault, list, page.next)) }),
  });
}

function pageSize(call: Call): number {
  const top = queryValue(call, '$top');
  if (top === undefined) return PAGE_SIZE;
  if (!/^\d{1,9}$/.test(top) || Number(top) === 0)
    throw gatewayErrors.InvalidTop({ top: top.slice(0, 40) }, { target: '$top' });
  return Math.min(Number(top), MAX_PAGE_SIZE);
}
