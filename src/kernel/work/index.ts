export { type AdvanceOptions, createAdvance } from './advance.ts';
export type { Attempt } from './attempt.ts';
export { MAX_ATTEMPTS, retryDelay } from './backoff.ts';
export {
  type BoundWork,
  boundWork,
  defineWork,
  handleWork,
  type WorkHandler,
  type WorkKind,
} from './kind.ts';
export { settle, trySettle, untilSettled } from './settle.ts';
export { runInSteps, type Step } from './steps.ts';
export { turnCollection } from './turn.ts';
export { startWorker, type Worker, type WorkerOptions, type WorkHooks, type WorkLog } from './worker.ts';
