import { defineWork } from '../../../../kernel/work/index.ts';

/** A run of a job is due: by its schedule, its periodic trigger, or because the job is continuous. */
export const FIRE_JOB = defineWork<{ readonly key: string }>('platform.fire-job', {
  title: 'Starts a run of a job',
  subject: 'key',
  recurs: true,
  concurrency: 8,
  // Retried without limit: a parked item would stop the schedule of its job for good.
  maxAttempts: Number.POSITIVE_INFINITY,
});

/** The retention of a run has passed, or it was deleted. `token`: the key of an idempotency token to delete as well. */
export const FORGET_RUN = defineWork<{ readonly key: string; readonly token?: string }>('platform.forget-run', {
  title: 'Deletes an old run of a job',
  subject: 'key',
  concurrency: 4,
});

export const SCHEDULE_WORK = [FIRE_JOB, FORGET_RUN] as const;

/** One item per job or run. `key` is that of the document. */
export const fireId = (key: string): string => `platform.fire-job:${key}`;
export const forgetId = (key: string): string => `platform.forget-run:${key}`;
