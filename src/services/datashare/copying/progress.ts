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

/** Copied files that are recorded together. After a crash, at most this many are copied again. */
const BATCH_FILES = 64;
const BATCH_BYTES = 32 * 1024 * 1024;

/** A copied file and its contribution to the tally. */
export interface Finished {
  readonly file: CopiedFile;
  readonly adds: Partial<CopyTally>;
}

type Change = Partial<Pick<CopyProgress, 'phase' | 'cursor'>> & { readonly adds?: Partial<CopyTally> };

/**
 * Persistent progress of a run. Files and tally are written in one transaction: a file in the ledger is also in the tally, and a file
 * copied just before a crash is in neither.
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

  /** The stored state. */
  get current(): CopyProgress {
    return this.#stored;
  }

  /** Number of removals from the target so far; incremented before the ledger is updated. */
  get removals(): number {
    return this.#removals;
  }

  draft(id: string): OpenDraft | undefined {
    return this.#drafts.get(id);
  }

  /** Resolves when the draft's checkpoint is stored. */
  async keepDraft(draft: OpenDraft): Promise<void> {
    this.#drafts.set(draft.id, draft);
    await this.write();
  }

  dropDraft(id: string): void {
    this.#drafts.delete(id);
  }

  /** The call that fills the batch waits until it is written, which also bounds the unwritten entries. */
  async finish(finished: Finished): Promise<void> {
    this.#finished.push(finished);
    this.#bytes += finished.file.size;
    if (this.#finished.length >= BATCH_FILES || this.#bytes >= BATCH_BYTES) await this.write();
  }

  /** Writes all pending entries together with the change. */
  write(change: Change = {}): Promise<void> {
    const writing = this.#writing.then(() => this.#write(change));
    // The caller gets the error; later writes are still attempted.
    this.#writing = writing.catch(() => {});
    return writing;
  }

  async #write({ adds = {}, ...change }: Change): Promise<void> {
    const { ledger } = this.#task;
    const finished = this.#finished;
    this.#finished = [];
    this.#bytes = 0;
    // Only the copying phase has drafts.
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

  /** Must be called before target files are overwritten: each hash in the ledger either matches the target or is marked uncertain. */
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
   * Must be called before files are removed from the target. Returns the files that are still in the ledger and not written by this run: if
   * two files conflict with the same one, the second must not restore its entry. The version is cleared, so that the file is written again
   * if it reappears at the source.
   */
  async markForRemoval<T extends { readonly key: string }>(files: readonly T[]): Promise<readonly T[]> {
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

  /** Removes ledger entries whose files were removed from the target. Only entries that existed are counted. */
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
