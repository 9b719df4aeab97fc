import type { Jar } from '../../../kernel/service/index.ts';
import { listOf, type Token, tokens, tokenUses } from '../collections.ts';

/** Granularity of the last use, in the jar's time, so that a busy token costs at most one write per minute. */
const GRAIN_MS = 60_000;
const MOST_KNOWN = 20_000;

/** Records when tokens were last used. */
export class TokenUses {
  readonly #jar: Pick<Jar, 'store' | 'clock' | 'log'>;
  /** The minute already written, by token id. */
  readonly #written = new Map<string, number>();
  readonly #writing = new Set<Promise<void>>();

  constructor(jar: Pick<Jar, 'store' | 'clock' | 'log'>) {
    this.#jar = jar;
  }

  /** The request does not wait for the write. */
  note({ id }: Pick<Token, 'id'>): void {
    const { clock, log } = this.#jar;
    const minute = Math.floor(clock.now() / GRAIN_MS);
    if (this.#written.get(id) === minute) return;
    if (this.#written.size >= MOST_KNOWN) this.#written.clear();
    this.#written.set(id, minute);
    const usedAt = new Date(minute * GRAIN_MS).toISOString();
    const pending = this.#write(id, usedAt)
      .catch((error) => log.warn({ err: error, tokenId: id }, 'the last use of a token could not be recorded'))
      .finally(() => this.#writing.delete(pending));
    this.#writing.add(pending);
  }

  /** Skips tokens that were deleted meanwhile. */
  async #write(id: string, usedAt: string): Promise<void> {
    await this.#jar.store.transact(async (tx) => {
      const token = await tx.get(tokens, id);
      if (token) await tx.put(tokenUses, id, { usedAt, list: listOf(token.value) });
    });
  }

  /** Resolves when all pending writes are done: needed before a list of tokens is read and before the jar closes. */
  async written(): Promise<void> {
    await Promise.all(this.#writing);
  }

  /** All state was replaced. */
  forget(): void {
    this.#written.clear();
  }
}
