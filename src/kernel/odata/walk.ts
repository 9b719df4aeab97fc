import { compareScalars } from '../store/functions.ts';
import type { Position, Query, Reader, Scalar, Stored } from '../store/types.ts';
import { pagesOf } from '../store/walk.ts';
import type { Predicate } from './bound.ts';
import { type BoundOrder, type CompiledFilter, compileFilter } from './compile.ts';
import { ODataError } from './errors.ts';
import { Evaluator } from './evaluate.ts';
import { joined, type ListRequest } from './list.ts';
import { CHUNK, MOST_COUNTED, MOST_SCANNED, testWithYields } from './scan.ts';
import type { EntityShape } from './shape.ts';

/** An item of a list from any source. Its key is unique in the list. */
export type Item<T> = Pick<Stored<T>, 'key' | 'value'>;

/** Yields the items of a list in its default order, starting after the key `after`. */
export type Walk<T> = (after: string | undefined) => AsyncIterable<Item<T>> | Iterable<Item<T>>;

/** Maximum number of items sorted in memory for one page. */
export const MOST_SORTED = 10_000;

export interface WalkedPage<T> {
  readonly items: readonly Item<T>[];
  readonly next?: Position;
}

/** For a few items in memory: ordered by their keys, compared as text. */
export function walkOf<T>(items: readonly Item<T>[]): Walk<T> {
  const sorted = items.toSorted((a, b) => compareScalars(a.key, b.key));
  return (after) => (after === undefined ? sorted : sorted.filter(({ key }) => compareScalars(key, after) > 0));
}

/** Skips items that do not satisfy the condition. */
export function walkSome<T>(walk: Walk<T>, wanted: (value: T) => boolean): Walk<T> {
  return async function* some(after) {
    for await (const item of walk(after)) if (wanted(item.value)) yield item;
  };
}

/**
 * Reads a page in the order of the walk. After too many non-matching items the page is returned short, and the next page continues after
 * it.
 */
export async function walkPage<T>(
  walk: Walk<T>,
  shape: EntityShape<T>,
  predicate: Predicate | undefined,
  after: Position | undefined,
  limit: number,
): Promise<WalkedPage<T>> {
  const matches = predicate && testWithYields(new Evaluator(shape.collection), predicate);
  const items: Item<T>[] = [];
  let read = 0;
  for await (const item of walk(after && String(after.at(-1)))) {
    if (matches && !(await matches(item.value))) {
      if (++read >= MOST_SCANNED) return { items, next: [item.key] };
      continue;
    }
    // One item more than the page holds: there is a next page.
    if (items.length === limit) return { items, next: [items.at(-1)!.key] };
    items.push(item);
  }
  return { items };
}

/** Reads a page in an order that must be sorted in memory. All matching items are read, and their number is limited. */
export async function sortedPage<T>(
  walk: Walk<T>,
  shape: EntityShape<T>,
  predicate: Predicate | undefined,
  order: readonly BoundOrder[],
  after: Position | undefined,
  limit: number,
): Promise<WalkedPage<T>> {
  const evaluator = new Evaluator(shape.collection);
  const matches = predicate && testWithYields(evaluator, predicate);
  const compare = comparator(order);
  const found: Placed<T>[] = [];
  let read = 0;
  for await (const item of walk(undefined)) {
    if (++read > MOST_COUNTED) throw tooMany(`read more than ${MOST_COUNTED} documents`);
    if (matches && !(await matches(item.value))) continue;
    const position = [...order.map(({ value }) => evaluator.valueOf(value, item.value)), item.key];
    if (after && compare(position, after) <= 0) continue;
    if (found.length === MOST_SORTED) throw tooMany(`sort more than ${MOST_SORTED} documents`);
    found.push({ item, position });
  }
  found.sort((a, b) => compare(a.position, b.position));
  const page = found.slice(0, limit);
  const items = page.map(({ item }) => item);
  return found.length > limit ? { items, next: page.at(-1)!.position } : { items };
}

interface Placed<T> {
  readonly item: Item<T>;
  readonly position: Position;
}

const tooMany = (what: string): ODataError =>
  new ODataError('TooComplex', '$orderby', `'$orderby' would have to ${what}; a '$filter' can leave out some`);

/** Orders like the store: absent values first when ascending, and the key last, in the direction of the criterion before it. */
function comparator(order: readonly BoundOrder[]): (a: Position, b: Position) => number {
  const descending = [...order.map((by) => by.descending), order.at(-1)?.descending === true];
  return (a, b) => {
    for (const [i, isDescending] of descending.entries()) {
      const difference = compareOptional(a[i] ?? null, b[i] ?? null);
      if (difference !== 0) return isDescending ? -difference : difference;
    }
    return 0;
  };
}

function compareOptional(a: Scalar | null, b: Scalar | null): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  return compareScalars(a, b);
}

/** The documents of a collection, for an order by properties that are not fields of the store. */
export function walkStore<T>(request: ListRequest<T>): { walk: Walk<T>; residual: Predicate | undefined } {
  const { store, shape, options, prefix, now, rewrite, seen } = request;
  const compiled: CompiledFilter | undefined =
    options.filter === undefined ? undefined : compileFilter(shape, options.filter, now, rewrite);
  const filter = joined(request.filter, compiled?.filter);
  const query = { ...(prefix !== undefined && { prefix }), ...(filter && { filter }) };
  return { walk: () => documents(store, shape, query, seen), residual: compiled?.residual };
}

async function* documents<T>(
  store: Reader,
  { collection }: EntityShape<T>,
  query: Pick<Query, 'prefix' | 'filter'>,
  seen: ListRequest<T>['seen'],
): AsyncGenerator<Stored<T>> {
  for await (const page of pagesOf(store, collection, { ...query, page: CHUNK })) {
    if (!seen) yield* page;
    else for (const item of page) yield { ...item, value: await seen(item) };
  }
}
