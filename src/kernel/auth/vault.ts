import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Purposes are a few fixed words, and some that carry a name: those must not grow without bound. */
const MOST_DERIVED = 64;

/**
 * Encrypts what the jar must be able to use again (signing keys, passwords for other systems) before it reaches the store, so that
 * neither the database nor a snapshot of it holds a secret in the clear. The master key stays outside the store.
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

  /** A key for one purpose (signing page tokens, say) that says nothing about the others. Derived once, then cached. */
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

  /** Undefined for what this vault did not seal: authenticated encryption tells its own values from any other text. */
  tryOpen(text: string): string | undefined {
    try {
      return this.open(text);
    } catch {
      return undefined;
    }
  }

  /** Throws when it was sealed under another master key or changed since. */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }
}
