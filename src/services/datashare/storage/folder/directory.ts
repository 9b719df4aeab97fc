import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { storageProblem } from '../problem.ts';
import { isCode } from './errors.ts';

const DESCRIPTORS = '/proc/self/fd';
/** Not through a link, even one that was put there a moment ago. Windows has no such flag. */
export const NO_LINK = constants.O_NOFOLLOW ?? 0;
const DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);

/** Linux names the entries of an open directory by its descriptor, which is what `openat` does in C. */
export const hasDescriptorPaths = process.platform === 'linux' && existsSync(DESCRIPTORS);

/**
 * A directory that was reached without a symbolic link. On Linux its entries are named by the open descriptor: whatever is renamed or
 * replaced on the path meanwhile, they are the entries of this very directory. Elsewhere each directory of the path is checked before its
 * entries are used, so that somebody with access to the machine could put a link there in between.
 */
export class Directory {
  readonly #path: string;
  readonly #handle: FileHandle | undefined;

  constructor(path: string, handle?: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /** The path is the operator's own, so links in it are followed. Undefined where there is no such directory. */
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

  /** The path of an entry, for calls to the system. */
  at(name: string): string {
    return this.#handle ? `${this.#path}/${name}` : join(this.#path, name);
  }

  /** Undefined where there is no such entry. Throws `LinkRefused` for a link, and ENOTDIR for a file. */
  async child(name: string, subject: string): Promise<Directory | undefined> {
    const path = this.at(name);
    try {
      if (this.#handle) return ofHandle(await open(path, DIRECTORY | NO_LINK));
      const found = await lstat(path);
      if (found.isDirectory()) return new Directory(path);
      throw found.isSymbolicLink() ? storageProblem('LinkRefused', { name: subject }) : notADirectory();
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      // Linux calls a link, too, something that is not a directory.
      const isLink = isCode(error, 'ENOTDIR', 'ELOOP') && (await lstat(path)).isSymbolicLink();
      throw isLink ? storageProblem('LinkRefused', { name: subject }) : error;
    }
  }

  /** The same, and creates the directory where there is none. */
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
