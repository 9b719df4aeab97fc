import type { Store, Tx } from '../../../kernel/store/index.ts';
import type { FileStore } from '../storage/index.ts';
import type { PiecePool } from './pieces.ts';
import type { Progress } from './progress.ts';
import type { CopyTask, Selection } from './task.ts';

/** Decides if a run may continue. Called before each file and each piece, so it must be cheap. */
export interface CopyWatch {
  /** False stops the run: the share was revoked, the run was cancelled, or the jar is closing. */
  proceed(): Promise<boolean>;
  /** Called in every transaction of the run; throws if another worker has taken over the run. */
  guard?(tx: Tx): Promise<void>;
}

/** State of a running copy, shared by its parts. */
export interface Run {
  readonly task: CopyTask;
  readonly selection: Selection;
  readonly store: Store;
  readonly source: FileStore;
  readonly target: FileStore;
  readonly progress: Progress;
  readonly watch: CopyWatch;
  readonly pieces: PiecePool;
}
