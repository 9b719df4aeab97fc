export { type Advance, type AdvanceOptions, createAdvance } from './advance.ts';
export type { Attempt } from './attempt.ts';
export { MAX_ATTEMPTS, retryDelay } from './backoff.ts';
export {
  type BoundWork,
  boundWork,
  defineWork,
  type WorkHandler,
  type WorkKind,
  workHandler,
} from './kind.ts';
export { type AdvancePreview, previewAdvance } from './preview.ts';
export { settle, trySettle, untilSettled } from './settle.ts';
export { runInSteps, type Step } from './steps.ts';
export type { AdvanceTarget } from './target.ts';
export { mutexCollection } from './turn.ts';
export { type Ran, startWorker, type Worker, type WorkerOptions, type WorkHooks, type WorkLog } from './worker.ts';
