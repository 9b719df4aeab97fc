import { constants } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { FileDraft } from '../types.ts';
import { NO_LINK } from './directory.ts';
import { asProblem, isCode, type Subject } from './errors.ts';
import type { DirectoryPath } from './path.ts';

/** In the account's folder, so that a commit is a rename. No container can have this name. */
export const DRAFTS = '.cloudjar-drafts';

const WRITE = constants.O_RDWR | constants.O_CREAT | NO_LINK;
const DRAFT_ID = /^[a-z0-9-]{1,100}$/;

export interface DraftOptions {
  /** The drafts folder; stays open as long as the draft. */
  readonly drafts: DirectoryPath;
  readonly id: string;
  readonly subject: Subject;
  /** Renames the draft to its final file. */
  readonly publish: (draft: string) => Promise<void>;
}

export class FolderDraft implements FileDraft {
  readonly #options: DraftOptions;
  readonly #handle: FileHandle;
  readonly #path: string;
  readonly #safe: number;

  private constructor(options: DraftOptions, handle: FileHandle, safe: number) {
    this.#options = options;
    this.#handle = handle;
    this.#path = options.drafts.directory.at(options.id);
    this.#safe = safe;
  }

  static async open(options: DraftOptions): Promise<FolderDraft> {
    const { drafts, id } = options;
    if (!DRAFT_ID.test(id)) throw new TypeError(`'${id}' is not a draft id`);
    const handle = await open(drafts.directory.at(id), WRITE);
    const stats = await handle.stat();
    return new FolderDraft(options, handle, stats.size);
  }

  safe(): number {
    return this.#safe;
  }

  async write(offset: number, bytes: Uint8Array): Promise<void> {
    await this.#guarded(async () => {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done, offset + done);
        done += bytesWritten;
      }
    });
  }

  async sync(): Promise<void> {
    await this.#guarded(() => this.#handle.datasync());
  }

  async commit(size: number): Promise<void> {
    try {
      await this.#guarded(async () => {
        await this.#handle.truncate(size);
        await this.#handle.datasync();
        await this.#options.publish(this.#path);
      });
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
    await this.#options.drafts[Symbol.asyncDispose]();
  }

  async abort(): Promise<void> {
    try {
      await this.#guarded(() => removeDraft(this.#path));
    } finally {
      await this.close();
    }
  }

  async #guarded(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      throw asProblem(error, this.#options.subject);
    }
  }
}

export async function removeDraft(path: string): Promise<void> {
  await unlink(path).catch((error) => {
    if (!isCode(error, 'ENOENT')) throw error;
  });
}
