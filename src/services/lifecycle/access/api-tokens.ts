import type { Store } from '../../../kernel/store/index.ts';
import { type HeldToken, type Token, tokens } from '../collections.ts';
import { imprintOf, sameProof } from './secrets.ts';
import { TokenIndex } from './token-index.ts';

/**
 * Finds API tokens by their secrets. On SQLite memory knows all of them. Where there may be other nodes the store is asked each time: a
 * token that was deleted on any of them is gone on all.
 */
export class ApiTokens {
  readonly #store: Store;
  /** Undefined where other nodes write to the store, too. */
  #index: TokenIndex | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.forget();
  }

  /** The token with this secret, if there is one. */
  find(secret: string): HeldToken | undefined | Promise<HeldToken | undefined> {
    const { id, proof } = imprintOf(secret);
    const held = this.#index ? this.#index.find({ id, proof }) : 'unknown';
    return held === 'unknown' ? this.#read(id, proof) : held;
  }

  async #read(id: string, proof: string): Promise<HeldToken | undefined> {
    const token = (await this.#store.get(tokens, id))?.value;
    return token !== undefined && sameProof(token.proof, proof) ? token : undefined;
  }

  /** To be called once the token is committed. */
  added(token: Token): void {
    this.#index?.added(token);
  }

  /** To be called once the deletion is committed. */
  removed(id: string): void {
    this.#index?.removed(id);
  }

  /** Resolves when memory knows all tokens, where it is to know them. */
  async complete(): Promise<void> {
    await this.#index?.complete();
  }

  /** All state was replaced: tokens are read anew, and a reading that is under way is of no use any more. */
  forget(): void {
    this.#index = this.#store.hasOtherWriters ? undefined : new TokenIndex(this.#store);
  }
}
