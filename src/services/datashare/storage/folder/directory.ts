import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { storageProblem } from '../problem.ts';
import { isCode } from './errors.ts';

const DESCRIPTORS = '/proc/self/fd';
/** Prevents following a link, even one created a moment ago. Windows has no such flag. */
export const NO_LINK = constants.O_NOFOLLOW ?? 0;
const DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);

/** On Linux, entries of an open directory can be addressed through its descriptor, like `openat` in C. */
export const hasDescriptorPaths = process.platform === 'linux' && existsSync(DESCRIPTORS);

/**
 * A directory reached without following symbolic links. On Linux its entries are addressed through the open descriptor, so renaming or
 * replacing parts of the path has no effect. On other systems each directory of the path is checked before use, so a user of the machine
 * could insert a link in between.
 */
export class Directory {
  readonly #path: string;
  readonly #handle: FileHandle | undefined;

  constructor(path: string, handle?: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /** The operator chooses this path, so links in it are followed. Returns undefined if the directory does not exist. */
  static async root(path: string, byDescriptor: boolean): Promise<Directory | undefined> {
    try {
      if (byDescriptor) return ofHandle(await open(path, DIRECTORY));
      await stat(path);
      return new Directory(path);
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** The path of an entry for system calls. */
  at(name: string): string {
    return this.#handle ? `${this.#path}/${name}` : join(this.#path, name);
  }

  /** Returns undefined if the entry does not exist. Throws `LinkRefused` for a link and ENOTDIR for a file. */
  async child(name: string, subject: string): Promise<Directory | undefined> {
    const path = this.at(name);
    try {
      if (this.#handle) return ofHandle(await open(path, DIRECTORY | NO_LINK));
      const found = await lstat(path);
      if (found.isDirectory()) return new Directory(path);
      throw found.isSymbolicLink() ? storageProblem('LinkRefused', { name: subject }) : notADirectory();
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      // Linux reports a link with the error for a non-directory.
      const isLink = isCode(error, 'ENOTDIR', 'ELOOP') && (await lstat(path)).isSymbolicLink();
      throw isLink ? storageProblem('LinkRefused', { name: subject }) : error;
    }
  }

  /** Like `child`, but creates a missing directory. */
  async ensureChild(name: string, subject: string): Promise<Directory> {
    for (;;) {
      const child = await this.child(name, subject);
      if (child) return child;
      await mkdir(this.at(name)).catch((error) => {
        if (!isCode(error, 'EEXIST')) throw error;
      });
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

const ofHandle = (handle: FileHandle): Directory => new Directory(`${DESCRIPTORS}/${handle.fd}`, handle);

const notADirectory = (): Error => Object.assign(new Error('not a directory'), { code: 'ENOTDIR' });
