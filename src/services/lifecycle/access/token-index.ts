import { pagesOf, type Store } from '../../../kernel/store/index.ts';
import { type HeldToken, type Token, tokens } from '../collections.ts';
import type { Imprint } from './secrets.ts';
import { TokenTable } from './token-table.ts';

/** All tokens of a store in memory. Only where this process alone writes to the store, so that what memory has is exact. */
export class TokenIndex {
  #table = new TokenTable();
  /** Resolves when all are there; reading them begins with the first request. */
  #reading: Promise<void> | undefined;
  #isComplete = false;
  /** Deleted while the others were being read, so that what was read before does not bring them back. */
  readonly #deleted = new Set<string>();
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** `unknown` while not all of them are read: the store has to be asked. */
  find(imprint: Imprint): HeldToken | 'unknown' | undefined {
    if (this.#isComplete) return this.#table.find(imprint);
    void this.complete();
    return 'unknown';
  }

  complete(): Promise<void> {
    this.#reading ??= this.#readAll(this.#table).catch(() => {
      // Whoever asks next tries again, and until then the store is asked.
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
