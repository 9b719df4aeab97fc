import { forgetUpdate, purgePipeline } from './remove.ts';
import { firePipeline } from './schedule.ts';
import { fillUpdates, updatesLimitChanged } from './updates/capacity.ts';
import { retryPipeline } from './updates/retry.ts';
import { stepUpdate } from './updates/steps.ts';
import { stopUpdate } from './updates/stop.ts';

/** Handlers of the work kinds of pipelines. */
export const PIPELINE_HANDLERS = [
  // Keeps one entry per line.
  stepUpdate,
  stopUpdate,
  retryPipeline,
  firePipeline,
  fillUpdates,
  updatesLimitChanged,
  forgetUpdate,
  purgePipeline,
] as const;
