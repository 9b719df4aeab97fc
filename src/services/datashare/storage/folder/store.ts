import { lstat, opendir, rename, unlink } from 'node:fs/promises';
import { checkContainer, checkFileName } from '../names.ts';
import { isProblem, storageProblem } from '../problem.ts';
import type { FileDraft, FilePage, FileReader, FileStore, StoredFile } from '../types.ts';
import { hasDescriptorPaths } from './directory.ts';
import { DRAFTS, FolderDraft, removeDraft } from './draft.ts';
import { asProblem, isCode } from './errors.ts';
import { filePages } from './listing.ts';
import { type DirectoryPath, ensurePath, findPath, type Place } from './path.ts';
import { openReader } from './reader.ts';
import { fileOf } from './version.ts';

/** Retries, because an empty folder may be removed concurrently just before a file is moved into it. */
const PUBLISH_TRIES = 5;
/** The folders of account and container are kept when their last file is removed. */
const KEPT_FOLDERS = 2;

/** An account with containers as folders: `<root>/<account>/<container>/<path of the file>`. */
export class FolderFileStore implements FileStore {
  readonly #account: string;
  readonly #place: Place;

  constructor(root: string, account: string, byDescriptor = hasDescriptorPaths) {
    this.#account = account;
    this.#place = { root, byDescriptor };
  }

  async *list(container: string, folder: string, cursor?: string): AsyncGenerator<FilePage> {
    checkContainer(container);
    const parts = folder === '' ? [] : checkFileName(folder);
    try {
      await using path = await this.#folder(container, parts, folder);
      if (path) yield* filePages(path.directory, folder === '' ? '' : `${folder}/`, cursor);
      else yield { files: [], skipped: 0 };
    } catch (error) {
      throw asProblem(error, { account: this.#account, name: folder });
    }
  }

  stat(container: string, name: string): Promise<StoredFile | undefined> {
    return this.#inFolderOf(container, name, async (path, part) => {
      if (!path) return undefined;
      const stats = await lstat(path.directory.at(part), { bigint: true }).catch(absentIfMissing);
      if (stats?.isSymbolicLink()) throw storageProblem('LinkRefused', { name });
      return stats?.isFile() ? fileOf(name, stats) : undefined;
    });
  }

  open(container: string, file: StoredFile): Promise<FileReader> {
    return this.#inFolderOf(container, file.name, async (path, part) => {
      if (!path) throw storageProblem('FileChanged', { name: file.name });
      return openReader(path.directory, part, file, this.#account);
    });
  }

  async put(container: string, name: string, bytes: Uint8Array, draftId: string): Promise<void> {
    const draft = await this.draft(container, name, draftId);
    try {
      await draft.write(0, bytes);
    } catch (error) {
      await draft.abort();
      throw error;
    }
    await draft.commit(bytes.length);
  }

  async draft(container: string, name: string, draftId: string): Promise<FileDraft> {
    checkContainer(container);
    const parts = checkFileName(name);
    const subject = { account: this.#account, name };
    let drafts: DirectoryPath | undefined;
    try {
      drafts = await ensurePath(this.#place, [this.#account, DRAFTS], DRAFTS);
      const publish = (draft: string): Promise<void> => this.#publish(draft, container, parts, name);
      return await FolderDraft.open({ drafts, id: draftId, subject, publish });
    } catch (error) {
      await drafts?.[Symbol.asyncDispose]();
      throw asProblem(error, subject);
    }
  }

  async remove(container: string, name: string): Promise<void> {
    await this.#inFolderOf(container, name, async (path, part) => {
      const stats = path && (await lstat(path.directory.at(part)).catch(absentIfMissing));
      if (!path || !stats?.isFile()) return;
      await unlink(path.directory.at(part)).catch(absentIfMissing);
      await path.prune(KEPT_FOLDERS);
    });
  }

  async forgetDrafts(prefix: string): Promise<void> {
    try {
      await using drafts = await findPath(this.#place, [this.#account, DRAFTS], DRAFTS);
      if (!drafts) return;
      for await (const { name } of await opendir(drafts.directory.at('.'))) {
        if (name.startsWith(prefix)) await removeDraft(drafts.directory.at(name));
      }
    } catch (error) {
      throw asProblem(error, { account: this.#account, name: DRAFTS });
    }
  }

  async #publish(draft: string, container: string, parts: readonly string[], name: string): Promise<void> {
    const [folders, last] = [parts.slice(0, -1), parts.at(-1) as string];
    for (let left = PUBLISH_TRIES; ; left--) {
      try {
        await using path = await ensurePath(this.#place, [this.#account, container, ...folders], name);
        return await rename(draft, path.directory.at(last));
      } catch (error) {
        if (left === 1 || !isCode(error, 'ENOENT')) throw error;
      }
    }
  }

  /** Returns undefined if the folder does not exist, or if a file has its name or the name of one of its parents. */
  async #folder(container: string, parts: readonly string[], name: string): Promise<DirectoryPath | undefined> {
    try {
      const path = await findPath(this.#place, [this.#account, container, ...parts], name);
      if (path) return path;
    } catch (error) {
      if (!isCode(error, 'ENOTDIR')) throw error;
    }
    await using whole = await findPath(this.#place, [this.#account, container], name);
    if (!whole) throw storageProblem('ContainerNotFound', { account: this.#account, container });
    return undefined;
  }

  /** Runs `action` with the folder of a file and the file's base name; the folder is undefined if it or the container does not exist. */
  async #inFolderOf<R>(
    container: string,
    name: string,
    action: (path: DirectoryPath | undefined, part: string) => Promise<R>,
  ): Promise<R> {
    checkContainer(container);
    const parts = checkFileName(name);
    try {
      await using path = await this.#folder(container, parts.slice(0, -1), name).catch((error) => {
        if (isProblem(error, 'ContainerNotFound')) return undefined;
        throw error;
      });
      return await action(path, parts.at(-1) as string);
    } catch (error) {
      throw asProblem(error, { account: this.#account, name });
    }
  }
}

function absentIfMissing(error: unknown): undefined {
  if (!isCode(error, 'ENOENT', 'ENOTDIR')) throw error;
}
