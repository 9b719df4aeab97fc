import { forgetUpdate, purgePipeline } from './remove.ts';
import { firePipeline } from './schedule.ts';
import { retryPipeline } from './updates/retry.ts';
import { fillUpdates, updatesLimitChanged } from './updates/room.ts';
import { stepUpdate } from './updates/steps.ts';
import { stopUpdate } from './updates/stop.ts';

/** What does the due work of pipelines. */
export const PIPELINE_HANDLERS = [
  // One a line.
  stepUpdate,
  stopUpdate,
  retryPipeline,
  firePipeline,
  fillUpdates,
  updatesLimitChanged,
  forgetUpdate,
  purgePipeline,
] as const;
