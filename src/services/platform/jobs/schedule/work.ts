import { defineWork } from '../../../../kernel/work/index.ts';

/** A job that is to begin a run at a time: by its schedule, its periodic trigger, or because it is continuous. */
export const FIRE_JOB = defineWork<{ readonly key: string }>('platform.fire-job', {
  concurrency: 8,
  // A parked item would end the schedule of its job for good.
  maxAttempts: Number.POSITIVE_INFINITY,
});

/** A run has been over for as long as runs are kept, or was deleted. `token`: the key of an idempotency token that is forgotten with it. */
export const FORGET_RUN = defineWork<{ readonly key: string; readonly token?: string }>('platform.forget-run', {
  concurrency: 4,
});

export const SCHEDULE_WORK = [FIRE_JOB, FORGET_RUN] as const;

/** One item for each job and run. `key` is that of the document. */
export const fireId = (key: string): string => `platform.fire-job:${key}`;
export const forgetId = (key: string): string => `platform.forget-run:${key}`;
