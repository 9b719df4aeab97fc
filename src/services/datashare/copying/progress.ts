import type { Store } from '../../../kernel/store/index.ts';
import {
  type CopiedFile,
  type CopyProgress,
  copied,
  copiedKey,
  copyProgress,
  type OpenDraft,
  progressKey,
} from './collections.ts';
import type { CopyWatch } from './run.ts';
import { type CopyTally, type CopyTask, NO_TALLY, sumOf } from './task.ts';

/** Finished files that are recorded together. After a crash as many are copied again at most. */
const BATCH_FILES = 64;
const BATCH_BYTES = 32 * 1024 * 1024;

/** A finished file and what it adds to the tally. */
export interface Finished {
  readonly file: CopiedFile;
  readonly adds: Partial<CopyTally>;
}

type Change = Partial<Pick<CopyProgress, 'phase' | 'cursor'>> & { readonly adds?: Partial<CopyTally> };

/**
 * What a run has done so far, in the store. Files and tally are written by one transaction: a file that is in the ledger is in the tally, and
 * one that was copied just before a crash is in neither.
 */
export class Progress {
  readonly #store: Pick<Store, 'transact'>;
  readonly #task: Pick<CopyTask, 'ledger' | 'run'>;
  readonly #guard: CopyWatch['guard'];
  readonly #drafts: Map<string, OpenDraft>;
  #stored: CopyProgress;
  #finished: Finished[] = [];
  #bytes = 0;
  #removals = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(
    store: Pick<Store, 'transact'>,
    task: CopyTask,
    stored: CopyProgress,
    { guard }: Pick<CopyWatch, 'guard'>,
  ) {
    this.#guard = guard;
    this.#store = store;
    this.#task = task;
    this.#stored = stored;
    this.#drafts = new Map(stored.drafts.map((draft) => [draft.id, draft]));
  }

  static async open(store: Store, task: CopyTask, watch: Pick<CopyWatch, 'guard'>): Promise<Progress> {
    const stored = await store.get(copyProgress, progressKey(task));
    return new Progress(store, task, stored?.value ?? { phase: 'copying', tally: NO_TALLY, drafts: [] }, watch);
  }

  /** As it is stored. */
  get current(): CopyProgress {
    return this.#stored;
  }

  /** How often files were removed from the target so far; counted before the ledger forgets them. */
  get removals(): number {
    return this.#removals;
  }

  draft(id: string): OpenDraft | undefined {
    return this.#drafts.get(id);
  }

  /** Resolves when the draft is stored as far as it has come. */
  async keepDraft(draft: OpenDraft): Promise<void> {
    this.#drafts.set(draft.id, draft);
    await this.write();
  }

  dropDraft(id: string): void {
    this.#drafts.delete(id);
  }

  /** Whoever fills the batch waits until it is written, which also bounds what is unwritten. */
  async finish(finished: Finished): Promise<void> {
    this.#finished.push(finished);
    this.#bytes += finished.file.size;
    if (this.#finished.length >= BATCH_FILES || this.#bytes >= BATCH_BYTES) await this.write();
  }

  /** Stores everything there is, and the change with it. */
  write(change: Change = {}): Promise<void> {
    const writing = this.#writing.then(() => this.#write(change));
    // The caller gets the error; the next write is tried all the same.
    this.#writing = writing.catch(() => {});
    return writing;
  }

  async #write({ adds = {}, ...change }: Change): Promise<void> {
    const { ledger } = this.#task;
    const finished = this.#finished;
    this.#finished = [];
    this.#bytes = 0;
    // Drafts belong to files that are being copied, which no other phase does.
    if (change.phase) this.#drafts.clear();
    let tally = sumOf(this.#stored.tally, adds);
    for (const each of finished) tally = sumOf(tally, each.adds);
    const stored: CopyProgress = { ...this.#stored, ...change, tally, drafts: [...this.#drafts.values()] };
    await this.#store.transact(async (tx) => {
      await this.#guard?.(tx);
      await tx.putAll(
        copied,
        finished.map(({ file }) => [copiedKey(ledger, file.target), file] as const),
      );
      await tx.put(copyProgress, progressKey(this.#task), stored);
    });
    this.#stored = stored;
  }

  /** To be called before the target of a file is touched: a hash in the ledger is that of what the target has, or is marked. */
  async markUncertain(files: readonly CopiedFile[]): Promise<void> {
    if (files.length === 0) return;
    const marked = files.map((file) => {
      return [copiedKey(this.#task.ledger, file.target), { ...file, isUncertain: true }] as const;
    });
    await this.#store.transact(async (tx) => {
      await this.#guard?.(tx);
      await tx.putAll<CopiedFile>(copied, marked);
    });
  }

  /**
   * To be called before files are removed from the target. Gives those that the ledger still has: of two files that want the same one out
   * of the way, the second must not put it back. Should the source have such a file again, it has to be written, whatever its version.
   */
  async markDoomed<T extends { readonly key: string }>(files: readonly T[]): Promise<readonly T[]> {
    return this.#store.transact(async (tx) => {
      await this.#guard?.(tx);
      const doomed: T[] = [];
      for (const each of files) {
        const file = (await tx.get(copied, each.key))?.value;
        if (!file || file.run === this.#task.run) continue;
        await tx.put(copied, each.key, { ...file, version: '', isUncertain: true });
        doomed.push(each);
      }
      return doomed;
    });
  }

  /** Takes files out of the ledger that are no longer at the target. One that is not in it does not count. */
  async removed(keys: readonly string[]): Promise<void> {
    this.#removals += 1;
    const writing = this.#writing.then(() => this.#remove(keys));
    this.#writing = writing.catch(() => {});
    await writing;
  }

  async #remove(keys: readonly string[]): Promise<void> {
    this.#stored = await this.#store.transact(async (tx) => {
      await this.#guard?.(tx);
      let filesRemoved = 0;
      for (const key of keys) if (await tx.delete(copied, key)) filesRemoved += 1;
      const stored = { ...this.#stored, tally: sumOf(this.#stored.tally, { filesRemoved }) };
      await tx.put(copyProgress, progressKey(this.#task), stored);
      return stored;
    });
  }
}
