import { createHash, createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { JWK } from 'jose';
import type { Clock } from '../clock/types.ts';
import { ConfigError } from '../config/config.ts';
import { collection, number } from '../store/collection.ts';
import type { Store, Tx } from '../store/types.ts';
import type { Vault } from './vault.ts';

interface SigningKey {
  kid: string;
  publicJwk: JWK;
  /** Encrypted by the vault. */
  privatePem: string;
  createdAt: number;
}

export const signingKeys = collection<SigningKey>('auth.keys', {
  fields: { createdAt: number((key) => key.createdAt) },
  indexes: [['createdAt']],
  permanent: true,
});

/** How long a key signs; its tokens remain valid afterwards, because the public key is kept. */
export const KEY_LIFETIME_MS = 45 * 24 * 3_600_000;

export interface ActiveKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** Keys for signing tokens: created with the first token, stored, and replaced every 45 days. */
export class SigningKeys {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #vault: Vault;
  #active: Promise<ActiveKey & { createdAt: number }> | undefined;
  readonly #public = new Map<string, JWK>();

  constructor(store: Store, clock: Clock, vault: Vault) {
    this.#store = store;
    this.#clock = clock;
    this.#vault = vault;
  }

  /** Throws if the current signing key cannot be read. `place` says where it is stored, for the message. */
  async check(place: string): Promise<void> {
    const newest = await this.#newest(this.#store);
    if (!newest) return;
    try {
      this.#open(newest);
    } catch (cause) {
      throw new ConfigError(
        `the signing key ${newest.kid} in ${place} is damaged: put back a copy of ${place} that is intact, or start with a new one`,
        { cause },
      );
    }
  }

  async active(): Promise<ActiveKey> {
    this.#active ??= this.#forEverybody();
    const key = await this.#active;
    if (this.#clock.now() - key.createdAt < KEY_LIFETIME_MS) return key;
    this.#active = undefined;
    return this.active();
  }

  /** Replaces the signing key. */
  async rotate(): Promise<void> {
    const made = await this.#generate(true);
    await this.#store.transact(async (tx) => {
      // A frozen clock would give both keys the same age, but it must be clear which one is newer.
      const { createdAt } = (await this.#newest(tx)) ?? { createdAt: 0 };
      await tx.put(signingKeys, made.kid, { ...made, createdAt: Math.max(made.createdAt, createdAt + 1) });
    });
    this.#active = undefined;
  }

  async publicKey(kid: string): Promise<JWK | undefined> {
    const known = this.#public.get(kid);
    if (known) return known;
    const stored = await this.#store.get(signingKeys, kid);
    if (stored) this.#public.set(kid, stored.value.publicJwk);
    return stored?.value.publicJwk;
  }

  async jwks(): Promise<{ keys: JWK[] }> {
    await this.active();
    const page = await this.#store.query(signingKeys, { order: [{ field: 'createdAt', descending: true }], limit: 12 });
    return { keys: page.items.map((item) => item.value.publicJwk) };
  }

  /** Several callers may wait for the result, so it continues if the first one is cancelled. */
  async #forEverybody(): Promise<ActiveKey & { createdAt: number }> {
    try {
      return await this.#store.onBehalfOf(undefined, () => this.#loadOrMake());
    } catch (error) {
      this.#active = undefined;
      throw error;
    }
  }

  async #loadOrMake(): Promise<ActiveKey & { createdAt: number }> {
    const newest = await this.#newest(this.#store);
    if (newest && this.#isFresh(newest)) return this.#open(newest);
    const made = await this.#generate(newest !== undefined);
    // If another node created a key meanwhile, its key is used.
    const winner = await this.#store.transact(async (tx: Tx) => {
      await tx.lock('auth.keys');
      const other = await this.#newest(tx);
      if (other && this.#isFresh(other)) return other;
      await tx.put(signingKeys, made.kid, made);
      return made;
    });
    return this.#open(winner);
  }

  async #newest(reader: Pick<Store, 'query'>): Promise<SigningKey | undefined> {
    const page = await reader.query(signingKeys, { order: [{ field: 'createdAt', descending: true }], limit: 1 });
    return page.items[0]?.value;
  }

  #isFresh(key: SigningKey): boolean {
    return this.#clock.now() - key.createdAt < KEY_LIFETIME_MS;
  }

  #open(key: SigningKey): ActiveKey & { createdAt: number } {
    return { kid: key.kid, privateKey: createPrivateKey(this.#vault.open(key.privatePem)), createdAt: key.createdAt };
  }

  async #generate(fresh: boolean): Promise<SigningKey> {
    const pair = await (fresh ? makePair() : firstPair());
    return {
      kid: pair.kid,
      publicJwk: pair.publicJwk,
      privatePem: this.#vault.seal(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string),
      createdAt: this.#clock.now(),
    };
  }
}

interface Pair {
  readonly kid: string;
  readonly publicJwk: JWK;
  readonly privateKey: KeyObject;
}

/**
 * Generating an RSA key takes a tenth of a second or more, so all jars of a process (for example of a test suite) start with the same key.
 * Tokens name their jar and are valid only there.
 */
let sharedPair: Promise<Pair> | undefined;
function firstPair(): Promise<Pair> {
  sharedPair ??= makePair();
  return sharedPair;
}

async function makePair(): Promise<Pair> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const jwk = publicKey.export({ format: 'jwk' }) as JWK;
  const thumbprint = createHash('sha256')
    .update(JSON.stringify({ e: jwk.e, kty: jwk.kty, n: jwk.n }))
    .digest('base64url');
  return { kid: thumbprint, publicJwk: { ...jwk, use: 'sig', alg: 'RS256', kid: thumbprint }, privateKey };
}
