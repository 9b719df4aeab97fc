import { pagesOf, type Store } from '../../../kernel/store/index.ts';
import { type HeldToken, type Token, tokens } from '../collections.ts';
import type { SecretHash } from './secrets.ts';
import { TokenTable } from './token-table.ts';

/** All tokens of a store in memory. Used only if this process is the only writer, so that the index is exact. */
export class TokenIndex {
  #table = new TokenTable();
  /** Resolves when all tokens are loaded; the first request starts loading. */
  #reading: Promise<void> | undefined;
  #isComplete = false;
  /** Tokens deleted while loading, so that a page read earlier does not restore them. */
  readonly #deleted = new Set<string>();
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns `unknown` while tokens are still being loaded; the caller must then read the store. */
  find(imprint: SecretHash): HeldToken | 'unknown' | undefined {
    if (this.#isComplete) return this.#table.find(imprint);
    void this.complete();
    return 'unknown';
  }

  complete(): Promise<void> {
    this.#reading ??= this.#readAll(this.#table).catch(() => {
      // The next request starts loading again; until then the store is read.
      this.#reading = undefined;
    });
    return this.#reading;
  }

  added(token: Token): void {
    if (this.#reading) this.#table.add(token);
  }

  removed(id: string): void {
    this.#table.remove(id);
    if (this.#reading && !this.#isComplete) this.#deleted.add(id);
  }

  async #readAll(table: TokenTable): Promise<void> {
    for await (const page of pagesOf(this.#store, tokens)) {
      for (const { value } of page) if (!this.#deleted.has(value.id)) table.add(value);
    }
    this.#deleted.clear();
    this.#isComplete = true;
  }
}
