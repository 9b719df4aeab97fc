import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pause, processTime } from '../time/timers.ts';
import { StoreError } from './errors.ts';
import { chmodToOwner } from './owner-only.ts';
import { refuseTooOld } from './release.ts';

/** Raise this together with `OLDEST` when the layout of the folder changes so that earlier releases cannot use it. */
export const DATA_VERSION = 1;
/**
 * The first release that knows `DATA_VERSION`. The folder's marker file records it, so that an earlier release can say which one is needed.
 */
const OLDEST = '0.1.0';

const MARKER = 'cloudjar.json';
const LOCK = 'lock.db';
const HOLDER = 'lock.pid';
const START_LOCK = 'start.db';
const FORMAT = 'cloudjar-data';
const GIT_IGNORE = '.gitignore';
/**
 * Files that a jar may leave if it dies before it has marked a new folder as its own, and the file that keeps an empty folder in a
 * repository.
 */
const OWN_BEFORE_MARKER = new Set([
  GIT_IGNORE,
  ...[LOCK, START_LOCK].flatMap((name) => [name, `${name}-journal`]),
  ...[HOLDER, `${HOLDER}.new`, `${MARKER}.new`],
]);

const POLL_INTERVAL_MS = 20;
/** A start takes less than a second; if it takes this long, it hangs. */
const OTHER_START_MS = 30_000;

const SQLITE_BUSY = 5;
const NO_RIGHT_TO_WRITE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOSPC', 'ELOOP', 'ENAMETOOLONG', 'ENOENT']);

export interface DataFolder {
  readonly path: string;
  /** Returns the path of a file in the folder. */
  file(name: string): string;
  /** Call when the keys exist: other jars that share the folder and wait to start may then continue. */
  started(): void;
  release(): void;
}

export interface FolderOptions {
  /**
   * If true, keeps every other exclusive jar out, as a database file requires. False is for jars that keep only their keys here (in memory,
   * or nodes on one PostgreSQL): any number of them can share the folder, but each starts only after the previous one has called `started`.
   */
  readonly exclusive?: boolean;
  /** The release that uses the folder; refused if it is too old for the folder. */
  readonly release?: string;
}

/** Takes ownership of a folder until it is released or the process ends. */
export async function openFolder(
  path: string,
  { exclusive = true, release: user }: FolderOptions = {},
): Promise<DataFolder> {
  try {
    makeFolder(path);
    refuseForeign(path, user);
    accessSync(path, constants.W_OK | constants.X_OK);
    const lock = exclusive ? acquire(path, LOCK) : await acquireInTurn(path, START_LOCK);
    try {
      // Checked again under the lock: another jar may have used the folder since the first check.
      if (!refuseForeign(path, user)) {
        keepOutOfGit(path);
        mark(path);
      }
      if (exclusive) writeWhole(path, HOLDER, String(process.pid));
    } catch (error) {
      lock.close();
      throw error;
    }
    const release = once(() => lock.close());
    return { path, file: (name) => join(path, name), started: exclusive ? () => {} : release, release };
  } catch (error) {
    throw asStoreError(path, error);
  }
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}

/** Not `recursive`, which never returns if the file system reports that a folder it cannot create has no parent. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })) return;
  const parent = dirname(resolve(path));
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another jar may have created it first; the lock decides which jar owns it.
    if (!statSync(path, { throwIfNoEntry: false })) throw error;
  }
}

/** Returns true if the folder is marked as a jar's; throws if it belongs to something else. */
function refuseForeign(path: string, release: string | undefined): boolean {
  if (!statSync(path).isDirectory()) throw new StoreError('FOREIGN_FOLDER', `the data folder ${path} is not a folder`);
  const entries = readdirSync(path);
  if (entries.includes(MARKER)) {
    refuseNewer(path, release);
    return true;
  }
  if (entries.every((entry) => OWN_BEFORE_MARKER.has(entry))) return false;
  throw new StoreError('FOREIGN_FOLDER', `the data folder ${path} is not empty and does not belong to a jar`);
}

function refuseNewer(path: string, release: string | undefined): void {
  const { format, version, oldest } = parseMarker(readFileSync(join(path, MARKER), 'utf8'));
  if (format !== FORMAT || typeof version !== 'number') {
    throw new StoreError('FOREIGN_FOLDER', `the data folder ${path} has a ${MARKER} that is not a jar's`);
  }
  if (typeof oldest === 'string') refuseTooOld(`the data folder ${path}`, oldest, release);
  if (version > DATA_VERSION) {
    const versions = `it has version ${version}, this release knows up to ${DATA_VERSION}`;
    throw new StoreError('NEWER_VERSION', `the data folder ${path} was written by a later release: ${versions}`);
  }
}

function parseMarker(text: string): { format?: unknown; version?: unknown; oldest?: unknown } {
  try {
    const marker: unknown = JSON.parse(text);
    return typeof marker === 'object' && marker !== null ? marker : {};
  } catch {
    return {};
  }
}

/**
 * An exclusive transaction on an empty database is a lock that the operating system releases when the process ends, however it ends.
 * Nothing else may open this file: closing any handle to it would release the lock.
 */
function acquire(path: string, name: string): DatabaseSync {
  const file = join(path, name);
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    chmodToOwner(file);
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (sqliteCode(error) !== SQLITE_BUSY) throw error;
    throw new StoreError('IN_USE', `the data folder ${path} is in use by ${holder(path)}`, { cause: error });
  }
}

/** Polls instead of letting SQLite wait, which would block the whole process. */
async function acquireInTurn(path: string, name: string): Promise<DatabaseSync> {
  const giveUpAt = processTime() + OTHER_START_MS;
  for (;;) {
    try {
      return acquire(path, name);
    } catch (error) {
      if (!(error instanceof StoreError) || processTime() > giveUpAt) throw error;
    }
    await pause(POLL_INTERVAL_MS);
  }
}

function holder(path: string): string {
  try {
    return `process ${readFileSync(join(path, HOLDER), 'utf8').trim()}`;
  } catch {
    return 'another process';
  }
}

/**
 * A new folder has a `.gitignore` that excludes everything, so that no key is committed by mistake. An existing `.gitignore` of the user is
 * kept.
 */
function keepOutOfGit(path: string): void {
  if (!existsSync(join(path, GIT_IGNORE))) writeFileSync(join(path, GIT_IGNORE), '*\n');
}

function mark(path: string): void {
  writeWhole(path, MARKER, `${JSON.stringify({ format: FORMAT, version: DATA_VERSION, oldest: OLDEST })}\n`);
}

/** Writes to a temporary name first, so that a half-written file is never visible. */
function writeWhole(path: string, name: string, text: string): void {
  const draft = join(path, `${name}.new`);
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, join(path, name));
}

function sqliteCode(error: unknown): unknown {
  return error instanceof Error && 'errcode' in error ? error.errcode : undefined;
}

function asStoreError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const code = 'code' in error ? error.code : undefined;
  if ((typeof code === 'string' && NO_RIGHT_TO_WRITE.has(code)) || sqliteCode(error) !== undefined) {
    return new StoreError('UNWRITABLE', `the data folder ${path} cannot be written to: ${error.message}`, {
      cause: error,
    });
  }
  return error;
}
