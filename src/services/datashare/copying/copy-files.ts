import type { Store } from '../../../kernel/store/index.ts';
import { type FilePage, type Storage, type StoredFile, storageProblem } from '../storage/index.ts';
import { type CopiedFile, draftPrefix } from './collections.ts';
import { type Assignment, buffersFor, copyOne } from './copy-one.ts';
import { InParallel } from './in-parallel.ts';
import { readLedger } from './ledger.ts';
import { PiecePool } from './pieces.ts';
import { Progress } from './progress.ts';
import { removeStale } from './removal.ts';
import type { CopyWatch, Run } from './run.ts';
import { type CopyTally, type CopyTask, selectionOf } from './task.ts';

export interface CopyContext {
  readonly store: Store;
  readonly storage: Storage;
  readonly watch: CopyWatch;
  /** Shared by the runs of a jar, to bound what all of them have in memory. */
  readonly pieces?: PiecePool;
}

export interface CopyResult {
  readonly ended: 'done' | 'stopped';
  /** Of the whole run, with what it had done before it was stopped or killed. */
  readonly tally: CopyTally;
}

/**
 * Copies the files of a task, or goes on with a run that was stopped or killed. Rejects with a `StorageProblem`; what was copied until then
 * stays, is in the ledger, and is not copied again when the run goes on.
 */
export async function copyFiles(task: CopyTask, context: CopyContext): Promise<CopyResult> {
  const { store, storage, watch, pieces = new PiecePool() } = context;
  const selection = selectionOf(task);
  const [source, target] = [storage.account(task.from.account), storage.account(task.to.account)];
  const progress = await Progress.open(store, task, watch);
  const run: Run = { task, selection, store, source, target, progress, watch, pieces };
  const isDone = await goOn(run);
  return { ended: isDone ? 'done' : 'stopped', tally: progress.current.tally };
}

async function goOn(run: Run): Promise<boolean> {
  const { task, target, progress } = run;
  if (progress.current.phase === 'copying' && !(await copyAll(run))) return false;
  if (progress.current.phase === 'removing') {
    if (task.mode === 'FullSync' && !(await removeStale(run))) return false;
    await target.forgetDrafts(draftPrefix(task.ledger));
    await progress.write({ phase: 'done' });
  }
  return true;
}

/** False when it was stopped. */
async function copyAll(run: Run): Promise<boolean> {
  for await (const page of sourcePages(run)) {
    const unchanged = await copyPage(run, page);
    if (unchanged === undefined) return false;
    const adds = { filesUnchanged: unchanged, entriesSkipped: page.skipped };
    // Behind the last page there is no cursor to go on from: that it was the last has to be said with it.
    await run.progress.write({ adds, cursor: page.next, ...(page.next === undefined && { phase: 'removing' }) });
  }
  return true;
}

async function* sourcePages({ task, selection, source, progress }: Run): AsyncGenerator<FilePage> {
  const { container } = task.from;
  const { folder = '', file: name } = selection;
  if (name === undefined) return yield* source.list(container, folder, progress.current.cursor);
  const file = await source.stat(container, name);
  if (!file) throw storageProblem('FileNotFound', { container, name });
  yield { files: [file], skipped: 0 };
}

/** Gives how many files of the page did not have to be read; undefined when it was stopped. What was copied is stored, whatever the outcome. */
async function copyPage(run: Run, { files }: FilePage): Promise<number | undefined> {
  const { progress, watch, pieces } = run;
  const { changed, unchanged } = await plan(run, files);
  const copies = new InParallel();
  let isStopped = false;
  try {
    for (const { file, target, known } of changed) {
      const buffers = await pieces.take(buffersFor(file));
      let mayStart = false;
      try {
        mayStart = !isStopped && !copies.hasFailed && (await watch.proceed());
      } finally {
        // Also where the store could not say: all runs share these buffers.
        if (!mayStart) pieces.give(buffers);
      }
      if (!mayStart) {
        isStopped = true;
        break;
      }
      copies.start(async () => {
        const isCopied = await copyOne(run, { file, target, known, buffers });
        isStopped ||= !isCopied;
      });
    }
  } finally {
    await copies.settle().finally(() => progress.write());
  }
  return isStopped ? undefined : unchanged;
}

type Planned = Omit<Assignment, 'buffers'>;

/** Which files of a page are to be copied, by what the ledger knows of them. */
async function plan(
  { task, selection, store, progress }: Run,
  files: readonly StoredFile[],
): Promise<{ readonly changed: readonly Planned[]; readonly unchanged: number }> {
  const all = files.map((file) => ({ file, target: selection.targetOf(file.name) }));
  const targets = all.map(({ target }) => target);
  const ledger = await readLedger(store, task.ledger, targets);
  const changed: Planned[] = [];
  const overwritten: CopiedFile[] = [];
  let unchanged = 0;
  for (const { file, target } of all) {
    const known = ledger.get(target);
    const isSame = known?.source === file.name && known.version === file.version;
    // This very run has copied it before it was stopped.
    if (isSame && known.run === task.run) continue;
    if (isSame && task.mode === 'Incremental') {
      unchanged += 1;
      continue;
    }
    changed.push({ file, target, known });
    // The same version would be overwritten by the same content.
    if (known && !isSame && !known.isUncertain) overwritten.push(known);
  }
  await progress.markUncertain(overwritten);
  return { changed, unchanged };
}
