/**
 * File system for `isomorphic-git`: the pack of a fetched repository, its index and a few refs. In memory, so that a crash leaves nothing
 * behind. Implements only what the library calls.
 */
export class MemoryFs {
  readonly #files = new Map<string, Uint8Array>();
  readonly #directories = new Set<string>(['/']);

  readonly promises = {
    readFile: async (path: string, options?: string | { encoding?: string }): Promise<Uint8Array | string> => {
      const bytes = this.#files.get(path);
      if (!bytes) throw missing(path);
      const encoding = typeof options === 'string' ? options : options?.encoding;
      return encoding === 'utf8' ? Buffer.from(bytes).toString('utf8') : bytes;
    },
    writeFile: async (path: string, data: Uint8Array | string): Promise<void> => {
      if (!this.#directories.has(above(path))) throw missing(above(path));
      this.#files.set(path, typeof data === 'string' ? Buffer.from(data) : data);
    },
    unlink: async (path: string): Promise<void> => {
      if (!this.#files.delete(path)) throw missing(path);
    },
    readdir: async (path: string): Promise<string[]> => {
      if (!this.#directories.has(path)) throw missing(path);
      const all = [...this.#files.keys(), ...this.#directories];
      return all
        .filter((each) => each !== '/' && above(each) === path)
        .map((each) => each.slice(each.lastIndexOf('/') + 1));
    },
    mkdir: async (path: string): Promise<void> => {
      if (!this.#directories.has(above(path))) throw missing(above(path));
      if (this.#directories.has(path)) throw failure('EEXIST', path);
      this.#directories.add(path);
    },
    rmdir: async (path: string): Promise<void> => {
      this.#directories.delete(path);
    },
    stat: async (path: string) => this.#stat(path),
    lstat: async (path: string) => this.#stat(path),
    // A fetched repository has no links, but the library requires these functions.
    readlink: async (path: string): Promise<string> => {
      throw missing(path);
    },
    symlink: async (_target: string, path: string): Promise<void> => {
      throw failure('EPERM', path);
    },
  };

  #stat(path: string) {
    const bytes = this.#files.get(path);
    const isDirectory = this.#directories.has(path);
    if (!bytes && !isDirectory) throw missing(path);
    return {
      size: bytes?.length ?? 0,
      mode: isDirectory ? 0o40755 : 0o100644,
      mtimeMs: 0,
      ctimeMs: 0,
      uid: 0,
      gid: 0,
      dev: 0,
      ino: 0,
      isFile: () => !isDirectory,
      isDirectory: () => isDirectory,
      isSymbolicLink: () => false,
    };
  }
}

const above = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')));

const failure = (code: string, path: string): Error => Object.assign(new Error(`${code}: ${path}`), { code });
const missing = (path: string): Error => failure('ENOENT', path);
