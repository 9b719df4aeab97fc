import { decodeSkipToken, encodeSkipToken } from '../../../kernel/http/index.ts';
import type { Collection, Filter, Order, Position, Stored } from '../../../kernel/store/index.ts';
import { nextTurn, processTime } from '../../../kernel/time/index.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, workspaceIn } from '../jar.ts';
import type { Request } from '../tracking/request.ts';

/** Pagination of searches whose filter the store evaluates only in part. */

interface Search<T> {
  readonly collection: Collection<T>;
  readonly filter: Filter;
  readonly order: readonly Order[];
  readonly size: number;
  /** Further values that a page token is bound to. */
  readonly bound: readonly unknown[];
  /** Filters a batch of documents found by the store. */
  keep(found: readonly Stored<T>[]): Promise<readonly Stored<T>[]>;
  /** Filters a single document, for checks that may take long. */
  matches(document: T): boolean;
}

/** First and largest batch size: the batch grows while no document matches. */
const FIRST_CHUNK = 500;
const LARGEST_CHUNK = 2000;

/** A page ends after this many documents even if it is not full; its token continues from there. */
const MOST_READ = 20_000;

/** Yields to other requests after this time. */
const LONGEST_TURN_MS = 20;

export interface SearchPage<T> {
  readonly items: readonly T[];
  readonly next?: string;
}

export async function searchPage<T>(
  call: PlatformCall,
  token: string | undefined,
  search: Search<T>,
): Promise<SearchPage<T>> {
  const { collection, filter, order, size, bound } = search;
  const { store, vault } = call.jar;
  const list = JSON.stringify([collection.name, workspaceIn(call).id, order, bound]);
  let after = startOf(call, list, token);
  const items: Stored<T>[] = [];
  const ends = (last: Position): SearchPage<T> => ({
    items: items.map(({ value }) => value),
    next: encodeSkipToken(vault, list, last),
  });
  for (let read = 0, limit = FIRST_CHUNK; read < MOST_READ; limit = Math.min(2 * limit, LARGEST_CHUNK)) {
    const page = await store.query(collection, { filter, order, limit, ...(after && { after }) });
    for (const stored of await search.keep(await matching(page.items, search.matches))) {
      // Finds one more match before the page ends, so that no token leads to an empty page.
      if (items.length === size) return ends(positionOf(search, items.at(-1) as Stored<T>));
      items.push(stored);
    }
    if (page.next === undefined) return { items: items.map(({ value }) => value) };
    after = page.next;
    read += page.items.length;
  }
  return ends(after as Position);
}

async function matching<T>(
  found: readonly Stored<T>[],
  matches: (document: T) => boolean,
): Promise<readonly Stored<T>[]> {
  const kept: Stored<T>[] = [];
  let began = processTime();
  for (const stored of found) {
    if (matches(stored.value)) kept.push(stored);
    if (processTime() - began < LONGEST_TURN_MS) continue;
    await new Promise<void>(nextTurn);
    began = processTime();
  }
  return kept;
}

/** The position that the store would return for a page that ends with this document. */
const positionOf = <T>({ collection, order }: Search<T>, { key, value }: Stored<T>): Position => [
  ...order.map(({ field }) => (collection.fields[field]?.of(value) ?? null) as string | number | null),
  key,
];

function startOf({ jar }: PlatformCall, list: string, token: string | undefined): Position | undefined {
  if (token === undefined || token === '') return undefined;
  const after = decodeSkipToken<Position>(jar.vault, list, token);
  if (after === undefined)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `Invalid page token, could not base64-decode: it is not one of this search.`,
    });
  return after;
}

/** `max_results` of a search. */
export function maxResults(sent: Request, usual: number, most: number): number {
  const asked = sent.whole('max_results');
  if (asked === undefined) return usual;
  const wrong = (bound: string) =>
    errors.INVALID_PARAMETER_VALUE({
      reason: `Invalid value for request parameter max_results. It must be ${bound}, but got value ${asked}`,
    });
  if (asked > most) throw wrong(`at most ${most}`);
  if (asked < 1) throw wrong('at least 1');
  return asked;
}
