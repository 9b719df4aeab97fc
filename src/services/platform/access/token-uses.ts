import type { Jar } from '../../../kernel/service/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';
import { type AccessToken, accessTokens } from './token-collections.ts';

type UsesJar = Pick<Jar, 'store' | 'clock' | 'log'>;

/** Records the last day on which each token was used. A token costs at most one write a day, and no call waits for it. */
export class TokenUses {
  readonly #jar: UsesJar;
  readonly #writing = new Map<string, Promise<void>>();

  constructor(jar: UsesJar) {
    this.#jar = jar;
  }

  /** `token` is the cached document, which has the new day as soon as it is written. */
  note(id: string, token: AccessToken): void {
    const { clock, log } = this.#jar;
    const today = Math.floor(clock.now() / DAY_MS) * DAY_MS;
    if (token.lastUsedDay === today || this.#writing.has(id)) return;
    const pending = this.#write(id, today)
      .catch((error) => log.warn({ err: error, tokenId: id }, 'the last use of an access token could not be recorded'))
      .finally(() => this.#writing.delete(id));
    this.#writing.set(id, pending);
  }

  async #write(id: string, today: number): Promise<void> {
    await this.#jar.store.transact(async (tx) => {
      const token = (await tx.get(accessTokens, id))?.value;
      if (token && token.lastUsedDay !== today) await tx.put(accessTokens, id, { ...token, lastUsedDay: today });
    });
  }

  /** Resolves when all pending writes are done; awaited before tokens are listed and before the jar closes. */
  async written(): Promise<void> {
    await Promise.all(this.#writing.values());
  }
}
