import type { Jar } from '../../../kernel/service/index.ts';
import { listOf, type Token, tokens, tokenUses } from '../collections.ts';

/** To the minute of the jar's clock, so that a busy token costs one write a minute. */
const GRAIN_MS = 60_000;
const MOST_KNOWN = 20_000;

/** Notes when tokens were last used. */
export class TokenUses {
  readonly #jar: Pick<Jar, 'store' | 'clock' | 'log'>;
  /** The minute that is written already, by the id of the token. */
  readonly #written = new Map<string, number>();
  readonly #writing = new Set<Promise<void>>();

  constructor(jar: Pick<Jar, 'store' | 'clock' | 'log'>) {
    this.#jar = jar;
  }

  /** The request does not wait for it. */
  note({ id }: Pick<Token, 'id'>): void {
    const { clock, log } = this.#jar;
    const minute = Math.floor(clock.now() / GRAIN_MS);
    if (this.#written.get(id) === minute) return;
    if (this.#written.size >= MOST_KNOWN) this.#written.clear();
    this.#written.set(id, minute);
    const usedAt = new Date(minute * GRAIN_MS).toISOString();
    const pending = this.#write(id, usedAt)
      .catch((error) => log.warn({ err: error, tokenId: id }, 'the last use of a token could not be noted'))
      .finally(() => this.#writing.delete(pending));
    this.#writing.add(pending);
  }

  /** Not of a token that was deleted meanwhile. */
  async #write(id: string, usedAt: string): Promise<void> {
    await this.#jar.store.transact(async (tx) => {
      const token = await tx.get(tokens, id);
      if (token) await tx.put(tokenUses, id, { usedAt, list: listOf(token.value) });
    });
  }

  /** Resolves when all that was begun is written: before a list of tokens is read, and before the jar closes. */
  async written(): Promise<void> {
    await Promise.all(this.#writing);
  }

  /** All state was replaced. */
  forget(): void {
    this.#written.clear();
  }
}
