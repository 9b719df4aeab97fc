import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { TestContext } from 'vitest';
import type { Store } from '../../../../src/kernel/store/types.ts';
import {
  type CopyResult,
  type CopyTask,
  copyCollections,
  copyFiles,
} from '../../../../src/services/datashare/copying/index.ts';
import type { FileReader, FileStore, Storage } from '../../../../src/services/datashare/storage/index.ts';
import { type Engine, engines } from '../../../kernel/store/contract/engines.ts';
import { folderStorage, newFolder } from '../storage/support.ts';

/** SQLite in memory and PostgreSQL; the SQLite file is covered by the store's own tests. */
export const stores: readonly Engine[] = engines.filter(({ name }) => name !== 'SQLite file');

/** For rules that do not depend on the store. */
export const rulesStores = process.env.CLOUDJAR_SOAK === '1' ? stores : stores.slice(0, 1);

export interface Done {
  readonly read: string[];
  readonly written: string[];
  readonly removed: string[];
}

/** A storage that records all operations. */
export function noting(storage: Storage): { readonly storage: Storage; readonly done: Done } {
  const done: Done = { read: [], written: [], removed: [] };
  const noted = (files: FileStore): FileStore => ({
    list: (container, folder, cursor) => files.list(container, folder, cursor),
    stat: (container, name) => files.stat(container, name),
    async open(container, file): Promise<FileReader> {
      const reader = await files.open(container, file);
      return {
        read(offset, into) {
          done.read.push(offset === 0 ? file.name : `${file.name} @${offset}`);
          return reader.read(offset, into);
        },
        close: () => reader.close(),
      };
    },
    async put(container, name, bytes, draftId) {
      done.written.push(name);
      await files.put(container, name, bytes, draftId);
    },
    async draft(container, name, draftId) {
      const draft = await files.draft(container, name, draftId);
      return {
        safe: () => draft.safe(),
        write: (offset, bytes) => draft.write(offset, bytes),
        sync: () => draft.sync(),
        async commit(size) {
          done.written.push(name);
          await draft.commit(size);
        },
        close: () => draft.close(),
        abort: () => draft.abort(),
      };
    },
    async remove(container, name) {
      done.removed.push(name);
      await files.remove(container, name);
    },
    forgetDrafts: (prefix) => files.forgetDrafts(prefix),
  });
  return { storage: { account: (name) => noted(storage.account(name)) }, done };
}

export const FROM = { account: 'provider', container: 'shared', select: { folder: '' } } as const;
export const TO = { account: 'consumer', container: 'received', folder: '' } as const;

/** A provider's and a consumer's folder, with a store for the ledger. */
export class World {
  readonly root: string;
  readonly store: Store;
  readonly #storage: Storage;
  #runs = 0;

  constructor(store: Store, root = newFolder()) {
    this.root = root;
    this.store = store;
    this.#storage = folderStorage(this.root);
    mkdirSync(this.source(), { recursive: true });
  }

  static async open(engine: Engine, context: Pick<TestContext, 'skip'>): Promise<World> {
    const place = await engine.place(context);
    return new World(await place.open(copyCollections));
  }

  source(name = ''): string {
    return join(this.root, 'provider', 'shared', name);
  }

  target(name = ''): string {
    return join(this.root, 'consumer', 'received', name);
  }

  write(name: string, content: string | Uint8Array): void {
    writeAt(this.source(name), content);
  }

  delete(name: string): void {
    rmSync(this.source(name), { recursive: true, force: true });
  }

  /** Runs a synchronization to its end; a new one unless `run` is given. */
  async copy(
    mode: CopyTask['mode'],
    { proceed = async () => true, storage = this.#storage, ...more }: Partial<CopyTask> & Options = {},
  ): Promise<CopyResult & { readonly done: Done }> {
    const task: CopyTask = { ledger: 'mapping', run: `run-${this.#runs++}`, mode, from: FROM, to: TO, ...more };
    const noted = noting(storage);
    const result = await copyFiles(task, { store: this.store, storage: noted.storage, watch: { proceed } });
    return { ...result, done: noted.done };
  }

  get storage(): Storage {
    return this.#storage;
  }

  contentOfSource(): Record<string, string> {
    return contentOf(this.source());
  }

  contentOfTarget(): Record<string, string> {
    return contentOf(this.target());
  }
}

interface Options {
  readonly proceed?: () => Promise<boolean>;
  readonly storage?: Storage;
}

export function writeAt(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** The files in a folder and its subfolders. */
export const namesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

/** Every file of a folder with its content. */
export const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(namesIn(folder).map((name) => [name, readFileSync(join(folder, name), 'latin1')]));

export const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** Returns true `count` times, then false. */
export function times(count: number): () => Promise<boolean> {
  let left = count;
  return async () => left-- > 0;
}
