import type { Store } from '../../../kernel/store/index.ts';
import { type FilePage, type Storage, type StoredFile, storageProblem } from '../storage/index.ts';
import { type CopiedFile, draftPrefix } from './collections.ts';
import { type Assignment, buffersFor, copyOne } from './copy-one.ts';
import { ParallelTasks } from './in-parallel.ts';
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
  /** Shared by all runs of a jar, to bound their total memory. */
  readonly pieces?: PiecePool;
}

export interface CopyResult {
  readonly ended: 'done' | 'stopped';
  /** Totals of the whole run, including work before it was stopped or killed. */
  readonly tally: CopyTally;
}

/**
 * Copies the files of a task, or resumes a run that was stopped or killed. Rejects with a `StorageProblem`. Files copied until then stay at
 * the target, are in the ledger, and are not copied again when the run resumes.
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

/** Returns false if the run was stopped. */
async function copyAll(run: Run): Promise<boolean> {
  for await (const page of sourcePages(run)) {
    const unchanged = await copyPage(run, page);
    if (unchanged === undefined) return false;
    const adds = { filesUnchanged: unchanged, entriesSkipped: page.skipped };
    // The last page has no next cursor, so the same write also ends the copying phase.
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

/**
 * Returns the number of files on the page that did not have to be read, or undefined if the run was stopped. Copied files are recorded in
 * either case.
 */
async function copyPage(run: Run, { files }: FilePage): Promise<number | undefined> {
  const { progress, watch, pieces } = run;
  const { changed, unchanged } = await plan(run, files);
  const copies = new ParallelTasks();
  let isStopped = false;
  try {
    for (const { file, target, known } of changed) {
      const buffers = await pieces.take(buffersFor(file));
      let mayStart = false;
      try {
        mayStart = !isStopped && !copies.hasFailed && (await watch.proceed());
      } finally {
        // Also if the check failed, because all runs share these buffers.
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

/** Compares the files of a page with the ledger and selects the ones to copy. */
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
    // Copied by this run before it was stopped.
    if (isSame && known.run === task.run) continue;
    if (isSame && task.mode === 'Incremental') {
      unchanged += 1;
      continue;
    }
    changed.push({ file, target, known });
    // The same version would be overwritten with the same content, so it need not be marked.
    if (known && !isSame && !known.isUncertain) overwritten.push(known);
  }
  await progress.markUncertain(overwritten);
  return { changed, unchanged };
}
