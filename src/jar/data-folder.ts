import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../kernel/config/config.ts';

/** The small files beside the database: keys that survive restarts, and the address of the running jar. */

export interface SecretFile {
  readonly name: string;
  /** Expected format; a damaged file is refused rather than used or replaced. */
  readonly pattern: RegExp;
  /** A file that is unreadable without this secret: if it exists, a missing secret is an error and is not generated anew. */
  readonly opens?: string;
  make(): string;
}

export const DATABASE = 'jar.db';
/** The last file that a first start writes. */
const LAST_FILE_OF_FIRST_START = 'ca.pem';
/** Permission bits of group and others. */
const OTHERS_PERMISSIONS = 0o077;

export const ADMIN_KEY: SecretFile = {
  name: 'admin.key',
  pattern: /^[A-Za-z0-9\-._~+/]{8,}=*$/,
  make: () => `jar_${randomBytes(24).toString('base64url')}`,
};

/** 32 bytes, from which the jar derives its encryption keys. */
export const SECRET_KEY: SecretFile = {
  name: 'secret.key',
  pattern: /^[\w-]{43}$/,
  opens: DATABASE,
  make: () => randomBytes(32).toString('base64url'),
};

/** Reads a secret, or generates it: readable only by the owner, and written atomically. Calls `warn` if others can read it. */
export async function secretFile(folder: string, file: SecretFile, warn: (message: string) => void): Promise<string> {
  const { name, pattern, make, opens } = file;
  const path = join(folder, name);
  try {
    const secret = (await readFile(path, 'utf8')).trim();
    if (!pattern.test(secret))
      throw new ConfigError(`${path} is damaged: restore the file, or remove it to start over without it`);
    if (await isOpenToOthers(path)) warn(`other users of this machine can read ${path}; run chmod 600 ${path}`);
    return secret;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(path, error);
  }
  if (opens !== undefined && (await sizeOf(join(folder, opens))) !== undefined)
    throw new ConfigError(
      `${path} is missing, and ${opens} in the same folder cannot be read without it: restore the file, or set CLOUDJAR_SECRET_KEY to its content`,
    );
  const secret = make();
  await writeWhole(folder, name, `${secret}\n`, 0o600);
  return secret;
}

/** Windows file modes do not say who may read. */
async function isOpenToOthers(path: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(path)).mode & OTHERS_PERMISSIONS) !== 0;
}

/**
 * SQLite treats an empty file as a new database. If a jar has run in the folder before, an empty file means that the content was lost, so
 * it is refused. Only an interrupted first start leaves an empty file that may be filled.
 */
export async function refuseEmptiedDatabase(folder: string): Promise<void> {
  const path = join(folder, DATABASE);
  if ((await sizeOf(path)) !== 0 || (await sizeOf(join(folder, LAST_FILE_OF_FIRST_START))) === undefined) return;
  throw new ConfigError(`${path} is damaged: it is empty; restore a copy of it, or remove it to start over`);
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch {
    return undefined;
  }
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
