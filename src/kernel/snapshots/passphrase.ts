import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Vault } from '../auth/vault.ts';
import { snapshotErrors } from './errors.ts';

/** The minimum that OWASP recommends for passwords, in the variant with the least memory: 32 MiB. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
/** A file contains its own parameters. These limits bound the cost of a hostile file. */
const MOST_MEMORY_BYTES = 128 * 1024 * 1024;
const MOST_BLOCKS = 2 ** 22;
const BYTES_OF_A_BLOCK = 128;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const FEWEST_CHARACTERS = 8;
const MOST_CHARACTERS = 1024;

/** Part of a file's header: how the key is derived from the passphrase. */
export const Derivation = Type.Object({
  kdf: Type.Literal('scrypt'),
  N: Type.Integer({ minimum: 2 }),
  r: Type.Integer({ minimum: 1 }),
  p: Type.Integer({ minimum: 1 }),
  salt: Type.String({ pattern: '^[A-Za-z0-9_-]{22,86}$' }),
});
export type Derivation = Static<typeof Derivation>;

/** Creates the key for a new file; it is unique because the salt is random. */
export async function newFileVault(passphrase: string): Promise<{ vault: Vault; derivation: Derivation }> {
  checkPassphrase(passphrase);
  if ([...passphrase].length < FEWEST_CHARACTERS)
    throw snapshotErrors.BadPassphrase({ reason: `it has fewer than ${FEWEST_CHARACTERS} characters` });
  const derivation: Derivation = { kdf: 'scrypt', ...COST, salt: randomBytes(SALT_BYTES).toString('base64url') };
  return { vault: await derive(passphrase, derivation), derivation };
}

export async function openFileVault(passphrase: string, derivation: Derivation): Promise<Vault> {
  checkPassphrase(passphrase);
  const { N, r, p } = derivation;
  const isPowerOfTwo = Number.isInteger(Math.log2(N));
  if (!isPowerOfTwo || BYTES_OF_A_BLOCK * N * r > MOST_MEMORY_BYTES || N * r * p > MOST_BLOCKS) {
    const reason = `its header asks for a key by scrypt with N=${N}, r=${r}, p=${p}, which is more work than is allowed`;
    throw snapshotErrors.SnapshotFileMalformed({ reason });
  }
  return derive(passphrase, derivation);
}

function checkPassphrase(passphrase: string): void {
  const reason =
    passphrase === ''
      ? 'it is empty'
      : passphrase.length > MOST_CHARACTERS
        ? `it has more than ${MOST_CHARACTERS} characters`
        : undefined;
  if (reason !== undefined) throw snapshotErrors.BadPassphrase({ reason });
}

function derive(passphrase: string, { N, r, p, salt }: Derivation): Promise<Vault> {
  // Input methods encode the same accented letter differently.
  const text = passphrase.normalize('NFKC');
  const options = { N, r, p, maxmem: 2 * MOST_MEMORY_BYTES };
  return new Promise((resolve, reject) => {
    scrypt(text, Buffer.from(salt, 'base64url'), KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(new Vault(key)),
    );
  });
}

/** Proves that the header was written with the key, so that a wrong passphrase is detected before the rest of the file is read. */
export const headerProof = (vault: Vault, header: object): string =>
  createHmac('sha256', vault.deriveKey('snapshot file header')).update(JSON.stringify(header)).digest('hex');

export const sameProof = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
