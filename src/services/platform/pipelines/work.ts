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

/** The state of an update ends. */
export const STEP_UPDATE = defineWork<OfUpdate>('platform.step-update', { concurrency: 8 });
/** Somebody else than a caller wants an update to stop: a run of a job that was cancelled. */
export const STOP_UPDATE = defineWork<OfUpdate>('platform.stop-update', { concurrency: 4 });
/** A failed update is tried again. */
export const RETRY_PIPELINE = defineWork<OfPipeline>('platform.retry-pipeline', { concurrency: 4 });
/** The time of a pipeline with a schedule has come. A parked item would end the schedule for good. */
export const FIRE_PIPELINE = defineWork<OfPipeline>('platform.fire-pipeline', {
  concurrency: 4,
  maxAttempts: Number.POSITIVE_INFINITY,
});
/** There may be room for updates of a workspace that wait for it. */
export const FILL_UPDATES = defineWork<{ readonly workspaceId: string }>('platform.fill-updates', { concurrency: 2 });
/** The limit of concurrent updates has changed: there may be room in any workspace. */
export const UPDATES_LIMIT_CHANGED = defineWork<object>(WAKES['pipeline-updates'] as string, { concurrency: 1 });
/** An update has ended so long ago that it is forgotten, with its events. `key` is that of the update. */
export const FORGET_UPDATE = defineWork<OfPipeline>('platform.forget-update', { concurrency: 4 });
/** A pipeline was deleted so long ago that it cannot be restored any more. */
export const PURGE_PIPELINE = defineWork<OfPipeline>('platform.purge-pipeline', { concurrency: 2 });

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

/** One item for each pipeline, update or workspace. `key` is that of the document. */
export const stepId = (key: string): string => `${STEP_UPDATE.kind}:${key}`;
export const stopId = (key: string): string => `${STOP_UPDATE.kind}:${key}`;
export const retryId = (key: string): string => `${RETRY_PIPELINE.kind}:${key}`;
export const firePipelineId = (key: string): string => `${FIRE_PIPELINE.kind}:${key}`;
export const fillId = (workspaceId: string): string => `${FILL_UPDATES.kind}:${workspaceId}`;
export const purgePipelineId = (key: string): string => `${PURGE_PIPELINE.kind}:${key}`;
