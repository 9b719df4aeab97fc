import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from './kernel/config.ts';

/** The small files beside the database: keys that must outlive a start, and where the running jar is found. */

/** Reads a secret, or makes it: owner only, and whole or not at all. */
export async function secretFile(folder: string, name: string, make: () => string): Promise<string> {
  const path = join(folder, name);
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
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
