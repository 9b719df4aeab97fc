import { nextTurn } from '../time/timers.ts';
import type { Collection, Page, Position, Query, Reader, Stored } from './types.ts';

/** Reading a page takes a few milliseconds with documents of ordinary size. */
const PAGE = 500;

export interface WalkQuery extends Pick<Query, 'prefix' | 'filter' | 'order' | 'after'> {
  /** Documents per read; use fewer if documents may be large. */
  readonly page?: number;
}

/** Yields the pages of a query, and awaits `between` after each but the last. */
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
 * All pages of a query in order; a single page may be empty. Awaits nothing but `reader`, so it can be used in transactions. A page is read
 * when the loop asks for it, so the loop may delete the documents that it was given, and may stop early.
 */
export function pagesOf<T>(
  reader: Pick<Reader, 'query'>,
  from: Collection<T>,
  query: WalkQuery = {},
): AsyncGenerator<readonly Stored<T>[]> {
  return pages(reader, from, query);
}

/** All documents that a query finds, in memory at once: for lists whose length is limited. Can be used in transactions. */
export async function readAll<T>(
  reader: Pick<Reader, 'query'>,
  from: Collection<T>,
  query: WalkQuery = {},
): Promise<Stored<T>[]> {
  const all: Stored<T>[] = [];
  for await (const page of pages(reader, from, query)) for (const stored of page) all.push(stored);
  return all;
}

/**
 * All documents that a query finds, one by one: for lists of any length. Yields to the event loop between two pages, so it cannot be used
 * in transactions.
 */
export async function* walk<T>(
  reader: Pick<Reader, 'query'>,
  from: Collection<T>,
  query: WalkQuery = {},
): AsyncGenerator<Stored<T>> {
  for await (const page of pages(reader, from, query, () => new Promise<void>(nextTurn))) yield* page;
}
