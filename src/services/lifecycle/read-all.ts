import { nextTurn } from '../../kernel/clock/timers.ts';
import type { Collection, Page, Position, Query, Reader, Stored } from '../../kernel/store/types.ts';

/** So many documents cost a few milliseconds. */
const PAGE = 500;

export interface ReadOptions extends Pick<Query, 'prefix' | 'filter' | 'order' | 'after'> {
  /** Fewer where documents may be large. */
  readonly page?: number;
}

/** Every document that a query finds. Others get their turn between two pages, however much there is to read. Not for transactions. */
export async function* readAll<T>(
  reader: Reader,
  from: Collection<T>,
  { page = PAGE, ...query }: ReadOptions,
): AsyncGenerator<Stored<T>> {
  for (let after = query.after; ; ) {
    const found: Page<T> = await reader.query(from, { ...query, limit: page, ...(after && { after }) });
    yield* found.items;
    after = found.next satisfies Position | undefined;
    if (after === undefined) return;
    await new Promise<void>(nextTurn);
  }
}
