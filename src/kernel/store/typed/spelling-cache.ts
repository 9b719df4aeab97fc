import type { CommitNotifier } from '../commit-notifier.ts';
import { tableDefinitions } from './definitions.ts';
import type { Cell } from './types.ts';

/** The folded form of a text, for comparison, and the form that is shown. */
export interface Spelled {
  readonly key: string;
  readonly text: string;
}

/** The cached spellings of a column, by the text as sent. */
export interface KnownColumn {
  readonly texts: ReadonlyMap<Cell, Spelled>;
  /** True if the column has had too many texts, and now keeps each as sent. */
  readonly overflown: boolean;
}

interface CachedColumn extends KnownColumn {
  readonly texts: Map<Cell, Spelled>;
  overflown: boolean;
}

interface CachedTable {
  readonly etag: string;
  readonly columns: Map<string, CachedColumn>;
}

/** The new spellings of one column in one transaction. */
export interface LearnedColumn {
  readonly column: string;
  readonly texts: ReadonlyMap<Cell, Spelled>;
  readonly overflown: boolean;
}

/** Limit for the texts of all tables; the least recently written table is evicted first. */
const MOST_TEXTS = 100_000;

/**
 * Caches committed spellings. A spelling is valid until its table is cleared, changed or dropped; each of these gives the table's
 * definition a new etag, and entries under another etag are ignored. After a wipe, an earlier etag may be in use again, so the store clears
 * the cache then, on other nodes when their notice arrives.
 */
export class SpellingCache {
  readonly #tables = new Map<string, CachedTable>();
  #texts = 0;

  column(table: string, etag: string, column: string): KnownColumn | undefined {
    const found = this.#tables.get(table);
    return found?.etag === etag ? found.columns.get(column) : undefined;
  }

  /** Call after the commit. */
  learn(table: string, etag: string, learned: readonly LearnedColumn[]): void {
    const found = this.#tables.get(table);
    const cached: CachedTable = found?.etag === etag ? found : { etag, columns: new Map() };
    this.#drop(table);
    for (const { column, texts, overflown } of learned) {
      const known = cached.columns.get(column) ?? { texts: new Map(), overflown: false };
      known.overflown ||= overflown;
      if (known.overflown) known.texts.clear();
      else for (const [text, spelled] of texts) known.texts.set(text, spelled);
      cached.columns.set(column, known);
    }
    this.#tables.set(table, cached);
    this.#texts += sizeOf(cached);
    for (const oldest of this.#tables.keys()) {
      if (this.#texts <= MOST_TEXTS) break;
      this.#drop(oldest);
    }
  }

  clear(): void {
    this.#tables.clear();
    this.#texts = 0;
  }

  #drop(table: string): void {
    const cached = this.#tables.get(table);
    if (!cached) return;
    this.#texts -= sizeOf(cached);
    this.#tables.delete(table);
  }
}

function sizeOf({ columns }: CachedTable): number {
  let size = 0;
  for (const { texts } of columns.values()) size += texts.size;
  return size;
}

/**
 * The notice of a wipe names all collections. Notices of other changes clear the cache too, which costs little because definitions rarely
 * change.
 */
export function clearAfterWipes(cache: SpellingCache, notifier: Pick<CommitNotifier, 'listen'>): void {
  notifier.listen(({ collections }) => {
    if (collections.includes(tableDefinitions.name)) cache.clear();
  });
}
