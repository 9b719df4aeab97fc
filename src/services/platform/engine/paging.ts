import { decodeSkipToken, encodeSkipToken } from '../../../kernel/http/index.ts';
import type { Collection, Position, Query, Reader, Stored } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';

/** Page sizes. */
export interface PageSizes {
  readonly usual: number;
  readonly most: number;
}

export const USUAL_SIZES: PageSizes = { usual: 100, most: 1000 };

/** The whole number in a query parameter. An empty value counts as absent. */
export function wholeNumber(query: PlatformCall['query'], name: string): number | undefined {
  const sent = query[name];
  if (sent === undefined || sent === '') return undefined;
  if (typeof sent !== 'string' || !/^-?\d{1,15}$/.test(sent))
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The parameter '${name}' must be a whole number.` });
  return Number(sent);
}

/**
 * The size in `page_size` (or another parameter). A size above the maximum becomes the maximum; a negative size is refused, 0 selects the
 * default.
 */
export function pageSize(query: PlatformCall['query'], sizes: PageSizes = USUAL_SIZES, name = 'page_size'): number {
  const asked = wholeNumber(query, name);
  if (asked !== undefined && asked < 0)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The parameter '${name}' must not be negative.` });
  return asked === undefined || asked === 0 ? sizes.usual : Math.min(asked, sizes.most);
}

export interface PageRequest<T> {
  readonly collection: Collection<T>;
  readonly query: Omit<Query, 'limit' | 'after'>;
  readonly size: number;
  /** The parameter with the token. Default: `page_token`. */
  readonly parameter?: string;
  /** Further parameters that a token is bound to, since they select the list. */
  readonly bound?: readonly unknown[];
}

export interface ListPage<T> {
  readonly items: readonly Stored<T>[];
  /** Absent on the last page. */
  readonly next: string | undefined;
}

/** One page of a list. Its tokens are opaque and valid for this list only. */
export async function readPage<T>(
  call: Pick<PlatformCall, 'jar' | 'query' | 'facts' | 'route'>,
  { collection, query, size, parameter = 'page_token', bound = [] }: PageRequest<T>,
  reader: Reader = call.jar.store,
): Promise<ListPage<T>> {
  const { vault } = call.jar;
  const scope = call.facts.workspace?.id ?? call.facts.account?.id ?? '';
  const list = JSON.stringify([collection.name, scope, query, bound]);
  const token = call.query[parameter] ?? '';
  const after = typeof token === 'string' && token !== '' ? decodeSkipToken<Position>(vault, list, token) : undefined;
  if (token !== '' && after === undefined)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The parameter '${parameter}' is not a token of this list.` });
  const page = await reader.query(collection, { ...query, limit: size, ...(after && { after }) });
  return { items: page.items, next: page.next && encodeSkipToken(vault, list, page.next) };
}

/** One page of a list that is completely in memory. */
export function pageOf<T>(
  call: Pick<PlatformCall, 'jar' | 'query' | 'path'>,
  all: readonly T[],
  size: number,
): { readonly items: readonly T[]; readonly next: string | undefined } {
  const { vault } = call.jar;
  const token = call.query.page_token;
  const asked = typeof token === 'string' && token !== '';
  const place = asked ? decodeSkipToken<{ readonly from: number }>(vault, call.path, token) : { from: 0 };
  if (!place)
    throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'page_token' is not a token of this list." });
  const end = place.from + size;
  return {
    items: all.slice(place.from, end),
    next: end < all.length ? encodeSkipToken(vault, call.path, { from: end }) : undefined,
  };
}
