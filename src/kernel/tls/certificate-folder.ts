import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface StoredPair {
  readonly pem: string;
  readonly key: string;
}

/** Stores `NAME.pem`, readable by everyone, and `NAME.key`, readable by the owner only; each file is replaced atomically. */
export class CertificateFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns `undefined` if there is no certificate; the key is empty if its file is missing. */
  read(name: string): StoredPair | undefined {
    const pem = readIfThere(join(this.#folder, `${name}.pem`));
    return pem === undefined ? undefined : { pem, key: readIfThere(join(this.#folder, `${name}.key`)) ?? '' };
  }

  write(name: string, { pem, key }: StoredPair): void {
    mkdirSync(this.#folder, { recursive: true });
    const certificate = join(this.#folder, `${name}.pem`);
    // If the process is killed in between, an old certificate must not be combined with the new key; no pair is better than a wrong one.
    rmSync(certificate, { force: true });
    writeWhole(join(this.#folder, `${name}.key`), key, 0o600);
    writeWhole(certificate, pem, 0o644);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function writeWhole(path: string, text: string, mode: number): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', mode);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}
