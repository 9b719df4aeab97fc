import { defineWork } from '../../../kernel/work/index.ts';
import { WAKES } from '../limits/wakes.ts';

interface OfUpdate {
  /** The key of the pipeline. */
  readonly key: string;
  readonly update: string;
}

interface OfPipeline {
  readonly key: string;
}

/** The state of an update ends by time. */
export const STEP_UPDATE = defineWork<OfUpdate>('platform.step-update', {
  title: 'Ends a state of a pipeline update',
  subject: 'key',
  concurrency: 8,
});
/** Stops an update without a call, because the run of a job that waits for it was cancelled. */
export const STOP_UPDATE = defineWork<OfUpdate>('platform.stop-update', {
  title: 'Stops a pipeline update',
  subject: 'key',
  concurrency: 4,
});
/** Retries a failed update. */
export const RETRY_PIPELINE = defineWork<OfPipeline>('platform.retry-pipeline', {
  title: 'Retries a failed pipeline update',
  subject: 'key',
  concurrency: 4,
});
/** A pipeline with a schedule is due. Retried without limit: a parked item would stop the schedule for good. */
export const FIRE_PIPELINE = defineWork<OfPipeline>('platform.fire-pipeline', {
  title: 'Starts the scheduled update of a pipeline',
  subject: 'key',
  recurs: true,
  concurrency: 4,
  maxAttempts: Number.POSITIVE_INFINITY,
});
/** Capacity may be free for queued updates of a workspace. */
export const FILL_UPDATES = defineWork<{ readonly workspaceId: string }>('platform.fill-updates', {
  title: 'Starts waiting pipeline updates of a workspace',
  subject: 'workspaceId',
  concurrency: 2,
});
/** The limit of concurrent updates has changed: capacity may be free in any workspace. */
export const UPDATES_LIMIT_CHANGED = defineWork<object>(WAKES['pipeline-updates'] as string, {
  title: 'Starts waiting pipeline updates after a change of the limit',
  concurrency: 1,
});
/** The retention of an update has passed: it is removed with its events. `key` is that of the update. */
export const FORGET_UPDATE = defineWork<OfPipeline>('platform.forget-update', {
  title: 'Deletes an old pipeline update',
  subject: 'key',
  concurrency: 4,
});
/** The time to restore a deleted pipeline has passed. */
export const PURGE_PIPELINE = defineWork<OfPipeline>('platform.purge-pipeline', {
  title: 'Removes a deleted pipeline',
  subject: 'key',
  concurrency: 2,
});

export const PIPELINE_WORK = [
  STEP_UPDATE,
  STOP_UPDATE,
  RETRY_PIPELINE,
  FIRE_PIPELINE,
  FILL_UPDATES,
  UPDATES_LIMIT_CHANGED,
  FORGET_UPDATE,
  PURGE_PIPELINE,
] as const;

/** One item per pipeline, update or workspace. `key` is that of the document. */
export const stepId = (key: string): string => `${STEP_UPDATE.kind}:${key}`;
export const stopId = (key: string): string => `${STOP_UPDATE.kind}:${key}`;
export const retryId = (key: string): string => `${RETRY_PIPELINE.kind}:${key}`;
export const firePipelineId = (key: string): string => `${FIRE_PIPELINE.kind}:${key}`;
export const fillId = (workspaceId: string): string => `${FILL_UPDATES.kind}:${workspaceId}`;
export const purgePipelineId = (key: string): string => `${PURGE_PIPELINE.kind}:${key}`;
