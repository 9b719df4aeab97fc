import { decodeSkipToken, encodeSkipToken } from '../../../../kernel/http/index.ts';
import type { Collection, Filter, Position, Query, Stored } from '../../../../kernel/store/index.ts';
import { allOf } from '../../../../kernel/store/index.ts';
import type { PlatformCall } from '../../jar.ts';
import { workspaceIn } from '../../jar.ts';
import { invalid } from '../settings/rules.ts';

/**
 * Lists with pagination in both directions. A list consists of one or more consecutive segments, each ordered by the same field, newest
 * first: active runs come before ended runs, and no index has both in one order.
 */
export interface SegmentedList<T> {
  readonly collection: Collection<T>;
  readonly segments: readonly Filter[];
  readonly filter?: Filter | undefined;
  /** A declared number field; the order is descending. */
  readonly order: string;
  /** The value of the `order` field. */
  of(value: T): number;
  readonly size: number;
  /** Skips this many entries at the start: the older way of pagination. */
  readonly skip?: number | undefined;
}

export interface BothWaysPage<T> {
  readonly items: readonly T[];
  readonly next?: string;
  readonly previous?: string;
}

/** Start of a page: after this document, or before it if the list is read backwards. */
interface Place {
  readonly back: boolean;
  readonly segment: number;
  readonly at: Position;
}

interface Found<T> {
  readonly stored: Stored<T>;
  readonly segment: number;
}

export async function readBothWays<T>(call: PlatformCall, list: SegmentedList<T>): Promise<BothWaysPage<T>> {
  const { vault } = call.jar;
  const { page_token: token } = call.query;
  const { collection, segments, filter, order, size } = list;
  const bound = JSON.stringify([collection.name, workspaceIn(call).id, segments, filter, order]);
  const isGiven = typeof token === 'string' && token !== '';
  const place = isGiven ? decodeSkipToken<Place>(vault, bound, token) : undefined;
  if (isGiven && !place) throw invalid("The parameter 'page_token' is not a page token of this list.");
  // One more than the page shows, to learn whether another page exists.
  const found = await collect(call, list, place);
  const back = place?.back ?? false;
  const shown = found.slice(0, size);
  if (back) shown.reverse();
  const hasMore = found.length > size;
  const tokenAt = (at: Found<T> | undefined, isBack: boolean): string | undefined =>
    at &&
    encodeSkipToken(vault, bound, {
      back: isBack,
      segment: at.segment,
      at: [list.of(at.stored.value), at.stored.key],
    } satisfies Place);
  const next = back || hasMore ? tokenAt(shown.at(-1), false) : undefined;
  const previous = (back && hasMore) || (!back && place !== undefined) ? tokenAt(shown[0], true) : undefined;
  return {
    items: shown.map(({ stored }) => stored.value),
    ...(next !== undefined && { next }),
    ...(previous !== undefined && { previous }),
  };
}

async function collect<T>(
  { jar }: PlatformCall,
  list: SegmentedList<T>,
  place: Place | undefined,
): Promise<Found<T>[]> {
  const { collection, segments, filter, order, size, skip = 0 } = list;
  const back = place?.back ?? false;
  const found: Found<T>[] = [];
  const seen = new Set<string>();
  let left = place ? 0 : skip;
  const step = back ? -1 : 1;
  for (let segment = place?.segment ?? 0; segments[segment] !== undefined; segment += step) {
    const limit = size + 1 - found.length;
    if (limit <= 0) break;
    const whole = allOf(segments[segment], filter);
    const query: Query = {
      filter: whole,
      order: [{ field: order, descending: !back }],
      limit,
      ...(place?.segment === segment ? { after: place.at } : left > 0 && { skip: left }),
    };
    const { items } = await jar.store.query(collection, query);
    // A run that moves to another segment between the two queries, because it has just ended, is listed once.
    for (const stored of items) if (!seen.has(stored.key)) found.push({ stored, segment });
    for (const { key } of items) seen.add(key);
    if (left > 0)
      left = items.length > 0 ? 0 : Math.max(0, left - (await jar.store.count(collection, { filter: whole })));
  }
  return found;
}

/** `limit` of a list: from 1 to `most`; 0 means `zero`. */
export function limitIn(
  asked: number | undefined,
  sizes: { readonly usual: number; readonly most: number; readonly zero?: number },
): number {
  const { usual, most, zero } = sizes;
  if (asked === undefined) return usual;
  if (asked === 0 && zero !== undefined) return zero;
  if (asked < 1 || asked > most) throw invalid(`The parameter 'limit' must be from 1 to ${most}; it is ${asked}.`);
  return asked;
}
