import { defineWork } from '../../../../kernel/work/index.ts';

/** New files may be old enough to start a run. `job` is the key of the job, `key` that of its `FileArrival`. */
export const CHECK_ARRIVALS = defineWork<{ readonly job: string; readonly key: string }>('platform.check-arrivals', {
  title: 'Checks for new files that start a job',
  subject: 'job',
  concurrency: 4,
  // Retried without limit: a parked item would stop the trigger of its job for good.
  maxAttempts: Number.POSITIVE_INFINITY,
});

export const arrivalsId = (key: string): string => `${CHECK_ARRIVALS.kind}:${key}`;

/** Tables or models that a trigger watches have changed. `trigger` is the key of the trigger. */
export const CHECK_CATALOG = defineWork<{ readonly job: string; readonly trigger: string }>('platform.check-catalog', {
  title: 'Checks for changed tables or models that start a job',
  subject: 'job',
  concurrency: 4,
  maxAttempts: Number.POSITIVE_INFINITY,
});

export const catalogCheckId = (trigger: string): string => `${CHECK_CATALOG.kind}:${trigger}`;

export const TRIGGER_WORK = [CHECK_ARRIVALS, CHECK_CATALOG] as const;
