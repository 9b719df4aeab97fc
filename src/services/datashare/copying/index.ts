export { copyCollections, draftPrefix } from './collections.ts';
export { type CopyContext, type CopyResult, copyFiles } from './copy-files.ts';
export { forgetLedger, forgetProgress, tallyOf } from './ledger.ts';
export { PiecePool } from './pieces.ts';
export type { CopyWatch } from './run.ts';
export type { CopyTally, CopyTask } from './task.ts';
