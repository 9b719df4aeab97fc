import type { Store } from '../../../kernel/store/index.ts';
import { type HeldToken, type Token, tokens } from '../collections.ts';
import { sameProof, secretHashOf } from './secrets.ts';
import { TokenIndex } from './token-index.ts';

/**
 * Finds API tokens by their secrets. On SQLite an in-memory index contains all of them. If other nodes may write to the store, the store is
 * read each time, so that a token deleted on one node is invalid on all.
 */
export class ApiTokens {
  readonly #store: Store;
  /** Undefined if other nodes also write to the store. */
  #index: TokenIndex | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.forget();
  }

  /** The token with this secret, or undefined. */
  find(secret: string): HeldToken | undefined | Promise<HeldToken | undefined> {
    const { id, proof } = secretHashOf(secret);
    const held = this.#index ? this.#index.find({ id, proof }) : 'unknown';
    return held === 'unknown' ? this.#read(id, proof) : held;
  }

  async #read(id: string, proof: string): Promise<HeldToken | undefined> {
    const token = (await this.#store.get(tokens, id))?.value;
    return token !== undefined && sameProof(token.proof, proof) ? token : undefined;
  }

  /** Must be called after the token is committed. */
  added(token: Token): void {
    this.#index?.added(token);
  }

  /** Must be called after the deletion is committed. */
  removed(id: string): void {
    this.#index?.removed(id);
  }

  /** Resolves when the in-memory index, if used, contains all tokens. */
  async complete(): Promise<void> {
    await this.#index?.complete();
  }

  /** All state was replaced: the index is rebuilt, and a load in progress is discarded. */
  forget(): void {
    this.#index = this.#store.hasOtherWriters ? undefined : new TokenIndex(this.#store);
  }
}
