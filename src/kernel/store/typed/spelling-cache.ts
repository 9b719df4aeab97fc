import type { Announcer } from '../news.ts';
import { tableDefinitions } from './definitions.ts';
import type { Cell } from './types.ts';

/** A text as its column compares it and as it shows it. */
export interface Spelled {
  readonly key: string;
  readonly text: string;
}

/** What is known of a column, by the texts as they were sent. */
export interface KnownColumn {
  readonly texts: ReadonlyMap<Cell, Spelled>;
  /** The column has had too many texts, and keeps each as it is sent. */
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

/** Of one column, in one transaction. */
export interface LearnedColumn {
  readonly column: string;
  readonly texts: ReadonlyMap<Cell, Spelled>;
  readonly overflown: boolean;
}

/** Texts of all tables; the table that was written least recently goes first. */
const MOST_TEXTS = 100_000;

/**
 * Spellings that are committed. A spelling stays until its table is cleared, changed or dropped; each of these makes a new etag of the table's definition,
 * and what was learned under another etag counts for nothing. After a wipe etags may be those of before: the store clears the cache then, on other
 * nodes when they hear of it.
 */
export class SpellingCache {
  readonly #tables = new Map<string, CachedTable>();
  #texts = 0;

  column(table: string, etag: string, column: string): KnownColumn | undefined {
    const found = this.#tables.get(table);
    return found?.etag === etag ? found.columns.get(column) : undefined;
  }

  /** To be called after the commit. */
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

/** News of a wipe name all collections. Those of other changes clear the cache too, which costs little: definitions change seldom. */
export function clearAfterWipes(cache: SpellingCache, announcer: Pick<Announcer, 'listen'>): void {
  announcer.listen(({ collections }) => {
    if (collections.includes(tableDefinitions.name)) cache.clear();
  });
}
