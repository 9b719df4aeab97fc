import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from './kernel/config.ts';

/** The small files beside the database: keys that must outlive a start, and where the running jar is found. */

export interface SecretFile {
  readonly name: string;
  /** What it must look like; a damaged file is refused rather than used or replaced. */
  readonly pattern: RegExp;
  make(): string;
}

export const ADMIN_KEY: SecretFile = {
  name: 'admin.key',
  pattern: /^[A-Za-z0-9\-._~+/]{8,}=*$/,
  make: () => `jar_${randomBytes(24).toString('base64url')}`,
};

/** 32 bytes, from which the jar derives what it encrypts with. */
export const SECRET_KEY: SecretFile = {
  name: 'secret.key',
  pattern: /^[\w-]{43}$/,
  make: () => randomBytes(32).toString('base64url'),
};

/** Reads a secret, or makes it: owner only, and whole or not at all. */
export async function secretFile(folder: string, { name, pattern, make }: SecretFile): Promise<string> {
  const path = join(folder, name);
  try {
    const secret = (await readFile(path, 'utf8')).trim();
    if (pattern.test(secret)) return secret;
    throw new ConfigError(
      `${path} is damaged: put back the file that was there, or remove it to start over without it`,
    );
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(path, error);
  }
  const secret = make();
  await writeWhole(folder, name, `${secret}\n`, 0o600);
  return secret;
}

export async function writeWhole(folder: string, name: string, content: string, mode: number): Promise<void> {
  const path = join(folder, name);
  const temporary = join(folder, `.${name}.${randomBytes(4).toString('hex')}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(temporary, content, { mode, flush: true });
    await rename(temporary, path);
  } catch (error) {
    throw unusable(path, error);
  }
}

const unusable = (path: string, error: unknown): ConfigError =>
  new ConfigError(`${path} cannot be used: ${(error as Error).message}`, { cause: error });
