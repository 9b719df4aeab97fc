import type { Jar } from '../../../kernel/service/index.ts';

/** Application id of the event service in every directory. */
const EVENT_SERVICE = '4962773b-9cdb-44cf-a8bf-237846a00ab7';
const RENEW_BEFORE_MS = 5 * 60_000;
/** A cached token that is valid for longer was issued before the clock was set back. */
const LONGEST_LIFE_MS = 2 * 3_600_000;

interface Kept {
  readonly token: string;
  readonly until: number;
}

/** Tokens that identify the event service to protected endpoints, issued for the tenant and the application that a subscription names. */
export class DirectoryTokens {
  readonly #jar: Pick<Jar, 'clock' | 'tokens' | 'addresses'>;
  readonly #kept = new Map<string, Kept>();

  constructor(jar: Pick<Jar, 'clock' | 'tokens' | 'addresses'>) {
    this.#jar = jar;
  }

  async get(tenantId: string, audience: string): Promise<string> {
    const { clock, tokens, addresses } = this.#jar;
    const name = `${tenantId} ${audience}`;
    const known = this.#kept.get(name);
    const now = clock.now();
    if (known && known.until > now && known.until - now < LONGEST_LIFE_MS) return known.token;
    const { token, expiresIn } = await tokens.issue({
      origin: `https://localhost:${addresses.httpsPort}`,
      tenantId,
      audience,
      applicationId: EVENT_SERVICE,
      version: '1.0',
      subject: { kind: 'application', objectId: EVENT_SERVICE, displayName: 'Event service' },
      applicationProof: '1',
    });
    this.#kept.set(name, { token, until: now + expiresIn * 1000 - RENEW_BEFORE_MS });
    return token;
  }

  clear(): void {
    this.#kept.clear();
  }
}
