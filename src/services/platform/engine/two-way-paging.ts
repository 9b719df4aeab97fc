import { decodeSkipToken, encodeSkipToken } from '../../../kernel/http/index.ts';
import { type Collection, columnValue, type Position, type Query, type Stored } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';

/** Lists that can also be read backwards: one token leads to the next page, another to the previous one. */

type Place = { readonly after: Position } | { readonly before: Position };

export interface TwoWayRequest<T> {
  readonly collection: Collection<T>;
  readonly query: Pick<Query, 'filter' | 'order'>;
  readonly size: number;
  readonly token?: string;
  /** Number of items before the first page; a token contains its own position. */
  readonly skip?: number;
}

export interface TwoWayPage<T> {
  readonly items: readonly Stored<T>[];
  /** Members of the answer; each is absent if there is no such page. */
  readonly tokens: { readonly next_page_token?: string; readonly prev_page_token?: string };
}

const reversed = (order: Query['order'] = []): Query['order'] =>
  order.length === 0
    ? [{ field: 'key', descending: true }]
    : order.map(({ field, descending }) => ({ field, descending: !descending }));

export async function readTwoWayPage<T>(
  { jar, facts }: Pick<PlatformCall, 'jar' | 'facts'>,
  { collection, query, size, token = '', skip = 0 }: TwoWayRequest<T>,
): Promise<TwoWayPage<T>> {
  const { vault, store } = jar;
  const list = JSON.stringify([collection.name, facts.workspace?.id ?? facts.account?.id ?? '', query]);
  const place = token === '' ? undefined : decodeSkipToken<Place>(vault, list, token);
  if (token !== '' && place === undefined)
    throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'page_token' is not a token of this list." });
  const isBackwards = place !== undefined && 'before' in place;
  const page = isBackwards
    ? await store.query(collection, { ...query, order: reversed(query.order), after: place.before, limit: size })
    : await store.query(collection, { ...query, limit: size, ...(place ? { after: place.after } : { skip }) });
  const items = isBackwards ? page.items.toReversed() : page.items;
  const hasMore = page.next !== undefined;
  const first = items[0];
  const last = items.at(-1);
  const positionOf = ({ key, value }: Stored<T>): Position => [
    ...(query.order ?? []).map(({ field }) => {
      const declared = collection.fields[field];
      return declared ? columnValue(declared, value) : null;
    }),
    key,
  ];
  // On a page reached by a token, the page that issued the token exists on the other side.
  const hasNext = isBackwards || hasMore;
  const hasPrevious = isBackwards ? hasMore : place !== undefined || skip > 0;
  return {
    items,
    tokens: {
      ...(hasNext && last && { next_page_token: encodeSkipToken(vault, list, { after: positionOf(last) }) }),
      ...(hasPrevious && first && { prev_page_token: encodeSkipToken(vault, list, { before: positionOf(first) }) }),
    },
  };
}
