import type { Store, Tx } from '../../../kernel/store/index.ts';
import type { FileStore } from '../storage/index.ts';
import type { PiecePool } from './pieces.ts';
import type { Progress } from './progress.ts';
import type { CopyTask, Selection } from './task.ts';

/** Says whether a run may go on; asked before each file and each piece, so it has to be cheap. */
export interface CopyWatch {
  /** False ends the run: the share was revoked, the run cancelled, or the jar closes. */
  proceed(): Promise<boolean>;
  /** In every transaction of the run: throws where somebody else has it by now. */
  guard?(tx: Tx): Promise<void>;
}

/** A run that is under way, with all that its parts need. */
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
