import type { Order, Position, Query, Reader, Stored } from '../store/types.ts';
import { columnValue } from '../store/values.ts';
import { nextTurn } from '../time/timers.ts';
import type { Predicate } from './bound.ts';
import { ODataError } from './errors.ts';
import { Evaluator } from './evaluate.ts';
import type { EntityShape } from './shape.ts';

/** Documents per read; the event loop runs between reads, and after this many evaluation steps. */
export const CHUNK = 500;
const STEPS_IN_A_TURN = 100_000;
/** Step limit for one page; the next page continues with the rest. */
const MOST_STEPS = 10_000_000;
/**
 * Maximum number of documents read for one page. If the page is not full by then, it is returned short, and the next page continues after
 * it.
 */
export const MOST_SCANNED = 10_000;
/** Maximum number of documents read for counting. */
export const MOST_COUNTED = 100_000;

interface Place {
  readonly after?: Position;
  readonly skip?: number;
}

/** Reads a page of documents that the store finds and the predicate accepts. */
export async function scanPage<T>(
  store: Reader,
  shape: EntityShape<T>,
  base: Pick<Query, 'prefix' | 'filter' | 'order'>,
  residual: Predicate,
  from: Place,
  limit: number,
  seen?: (item: Stored<T>) => T | Promise<T>,
): Promise<{ items: readonly Stored<T>[]; next?: Place }> {
  const evaluator = new Evaluator(shape.collection);
  const items: Stored<T>[] = [];
  let { after, skip = 0 } = from;
  const matches = testWithYields(evaluator, residual);
  for (let read = 0; read < MOST_SCANNED; read += CHUNK) {
    if (read > 0) await turn();
    const page = await store.query(shape.collection, { ...base, after, limit: CHUNK });
    for (const item of page.items) {
      if (evaluator.steps > MOST_STEPS) return { items, next: { after, ...(skip > 0 && { skip }) } };
      const match = matches(seen ? await seen(item) : item.value);
      after = positionOf(shape, base.order, item);
      if (!(typeof match === 'boolean' ? match : await match)) continue;
      if (skip > 0) skip--;
      // One item more than the page holds: there is a next page.
      else if (items.length === limit) return { items, next: { after: positionOf(shape, base.order, items.at(-1)!) } };
      else items.push(item);
    }
    if (!page.next) return { items };
    after = page.next;
  }
  return { items, next: { after, ...(skip > 0 && { skip }) } };
}

export async function countMatches<T>(
  store: Reader,
  shape: EntityShape<T>,
  base: Pick<Query, 'prefix' | 'filter'>,
  residual: Predicate | undefined,
): Promise<number> {
  if (!residual) return store.count(shape.collection, base);
  const evaluator = new Evaluator(shape.collection);
  const matches = testWithYields(evaluator, residual);
  let count = 0;
  let after: Position | undefined;
  for (let read = 0; read < MOST_COUNTED; read += CHUNK) {
    if (read > 0) await turn();
    const page = await store.query(shape.collection, { ...base, after, limit: CHUNK });
    for (const item of page.items) {
      const match = matches(item.value);
      if (typeof match === 'boolean' ? match : await match) count++;
    }
    if (!page.next) return count;
    after = page.next;
  }
  const reason = `'$count' would have to read more than ${MOST_COUNTED} documents with this '$filter'`;
  throw new ODataError('TooComplex', '$count', reason);
}

/** Tests documents; from time to time a test is asynchronous, to yield to the event loop. */
export function testWithYields<T>(
  evaluator: Evaluator<T>,
  predicate: Predicate,
): (document: T) => boolean | Promise<boolean> {
  let turned = 0;
  return (document) => {
    const matches = evaluator.matches(predicate, document);
    if (evaluator.steps - turned < STEPS_IN_A_TURN) return matches;
    turned = evaluator.steps;
    return turn().then(() => matches);
  };
}

function positionOf<T>({ collection }: EntityShape<T>, order: readonly Order[] = [], item: Stored<T>): Position {
  const fields = order.filter(({ field }) => field !== 'key');
  return [...fields.map(({ field }) => columnValue(collection.fields[field]!, item.value)), item.key];
}

const turn = (): Promise<void> => new Promise((resolve) => nextTurn(resolve));
