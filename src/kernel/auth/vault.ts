import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Limit of cached keys: most purposes are fixed words, but some contain a name. */
const MOST_DERIVED = 64;

/**
 * Encrypts secrets that the jar must be able to read again (signing keys, passwords of other systems) before they are stored, so that
 * neither the database nor a snapshot contains them in plain text. The master key is not in the store.
 */
export class Vault {
  readonly #key: Buffer;
  readonly #master: Buffer;
  readonly #derived = new Map<string, Buffer>();

  constructor(master: Buffer) {
    this.#master = master;
    this.#key = this.deriveKey('vault');
  }

  static withRandomKey(): Vault {
    return new Vault(randomBytes(32));
  }

  /** Derives the key for one purpose (for example signing page tokens), independent of the others. Cached. */
  deriveKey(purpose: string): Buffer {
    let key = this.#derived.get(purpose);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.#master, Buffer.alloc(0), `cloudjar ${purpose}`, 32));
      if (this.#derived.size >= MOST_DERIVED) this.#derived.clear();
      this.#derived.set(purpose, key);
    }
    return key;
  }

  seal(plain: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv);
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** Returns undefined if this vault did not encrypt the text, which authenticated encryption detects. */
  tryOpen(text: string): string | undefined {
    try {
      return this.open(text);
    } catch {
      return undefined;
    }
  }

  /** Throws if the text was encrypted with another master key or was changed. */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }
}
