import { nextTurn } from '../time/timers.ts';
import type { Collection, Page, Position, Query, Reader, Stored } from './types.ts';

/** Costs a few milliseconds with documents of ordinary size. */
const PAGE = 500;

export interface WalkQuery extends Pick<Query, 'prefix' | 'filter' | 'order' | 'after'> {
  /** Documents in one read: fewer where they may be large. */
  readonly page?: number;
}

/** Pages of a query, and what to await between two of them. */
async function* pages<T>(
  reader: Pick<Reader, 'query'>,
  from: Collection<T>,
  { page = PAGE, ...query }: WalkQuery,
  between?: () => Promise<void>,
): AsyncGenerator<readonly Stored<T>[]> {
  for (let after = query.after; ; ) {
    const found: Page<T> = await reader.query(from, { ...query, limit: page, ...(after && { after }) });
    yield found.items;
    after = found.next satisfies Position | undefined;
    if (after === undefined) return;
    await between?.();
  }
}

/**
 * Every page of a query, from the first to the last; the only one may be empty. Awaits nothing but `reader`, so it serves in transactions too. Each
 * page is read when the loop asks for it, so the loop may delete what it was given, and stop early.
 */
export function pagesOf<T>(
  reader: Pick<Reader, 'query'>,
  from: Collection<T>,
  query: WalkQuery = {},
): AsyncGenerator<readonly Stored<T>[]> {
  return pages(reader, from, query);
}

/** Every document that a query finds, in memory at once: for lists that a limit keeps short. Serves in transactions too. */
export async function readAll<T>(
  reader: Pick<Reader, 'query'>,
  from: Collection<T>,
  query: WalkQuery = {},
): Promise<Stored<T>[]> {
  const all: Stored<T>[] = [];
  for await (const page of pages(reader, from, query)) for (const stored of page) all.push(stored);
  return all;
}

/** Every document that a query finds, one by one: for lists of any length. Others get their turn between two pages, so it is not for transactions. */
export async function* walk<T>(
  reader: Pick<Reader, 'query'>,
  from: Collection<T>,
  query: WalkQuery = {},
): AsyncGenerator<Stored<T>> {
  for await (const page of pages(reader, from, query, () => new Promise<void>(nextTurn))) yield* page;
}
