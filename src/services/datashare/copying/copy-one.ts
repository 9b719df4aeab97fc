import { pause } from '../../../kernel/time/index.ts';
import { isProblem, type StoredFile, storageProblem } from '../storage/index.ts';
import { type CopiedFile, draftId } from './collections.ts';
import { type Copied, copyLarge, copySmall, isLarge } from './copy-file.ts';
import type { Piece } from './pieces.ts';
import { removeConflicts } from './removal.ts';
import type { Run } from './run.ts';

/** Delays before another attempt to read a file that changed while it was read. */
const CHANGED_DELAYS_MS = [50, 200, 1000] as const;

export interface Assignment {
  readonly file: StoredFile;
  /** File name at the target. */
  readonly target: string;
  /** Ledger entry of the target, if an earlier run copied it. */
  readonly known: CopiedFile | undefined;
  /** As many as `buffersFor` returns; they are returned to the pool. */
  readonly buffers: readonly Piece[];
}

/** A large file needs two: one is read while the other is written. */
export const buffersFor = (file: StoredFile): number => (isLarge(file) ? 2 : 1);

/** Copies a file and records it. Returns false if the run was stopped. */
export async function copyOne(run: Run, { file, target, known, buffers }: Assignment): Promise<boolean> {
  const { task, pieces, progress } = run;
  let held = buffers;
  try {
    let current: StoredFile | undefined = file;
    for (let changes = 0; ; ) {
      const { removals } = progress;
      try {
        return await attempt(run, { file: current, target, known, buffers: held });
      } catch (error) {
        if (isProblem(error, 'FileChanged') && changes < CHANGED_DELAYS_MS.length) {
          progress.dropDraft(draftId(task.ledger, file.name, current.version));
          await pause(CHANGED_DELAYS_MS[changes++] as number);
        } else if (!isProblem(error, 'PathConflict') || task.mode !== 'FullSync') {
          throw error;
        } else if (!(await removeConflicts(run, target)) && progress.removals === removals) {
          // The conflict remains, and no other file has cleared it meanwhile.
          throw error;
        }
      }
      current = await lookAgain(run, file.name);
      if (!current) return true;
      if (held.length < buffersFor(current)) {
        pieces.give(held);
        held = [];
        held = await pieces.take(buffersFor(current));
      }
    }
  } finally {
    pieces.give(held);
  }
}

/** A file that has disappeared is skipped, unless the data set is this single file. */
async function lookAgain({ task, selection, source }: Run, name: string): Promise<StoredFile | undefined> {
  const { container } = task.from;
  const found = await source.stat(container, name);
  if (!found && selection.file !== undefined) throw storageProblem('FileNotFound', { container, name });
  return found;
}

async function attempt(run: Run, { file, target: name, known, buffers }: Assignment): Promise<boolean> {
  const { task, source, target, progress, watch } = run;
  const id = draftId(task.ledger, file.name, file.version);
  const copy = {
    source,
    target,
    file,
    from: task.from.container,
    to: { container: task.to.container, name },
    draftId: id,
    // A full run writes every file again.
    ...(task.mode === 'Incremental' && known && !known.isUncertain && { known: known.hash }),
    pieces: buffers,
  };
  const copied: Copied | undefined = isLarge(file)
    ? await copyLarge({
        ...copy,
        begun: progress.draft(id),
        keep: (draft) => progress.keepDraft(draft),
        proceed: () => watch.proceed(),
      })
    : await copySmall(copy);
  if (!copied) return false;
  const { hash, isWritten } = copied;
  const { name: sourceName, version, size } = file;
  progress.dropDraft(id);
  await progress.finish({
    file: { source: sourceName, target: name, version, size, hash, run: task.run },
    adds: { filesRead: 1, sizeRead: size, ...(isWritten && { filesWritten: 1, sizeWritten: size }) },
  });
  return true;
}
