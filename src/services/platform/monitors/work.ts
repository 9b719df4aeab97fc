import { defineWork } from '../../../kernel/work/index.ts';

/** A new monitor becomes active, a refresh begins or ends. */
export const STEP_MONITOR = defineWork<{ readonly object: string; readonly refresh?: number }>(
  'platform.step-monitor',
  {
    concurrency: 4,
  },
);

export const stepId = (object: string, refresh?: number): string =>
  `${STEP_MONITOR.kind}:${object}${refresh === undefined ? '' : `/${refresh}`}`;

/** A monitor with a schedule is due. */
export const REFRESH_MONITOR = defineWork<{ readonly object: string }>('platform.refresh-monitor', {
  concurrency: 4,
  // A parked item would end the schedule of its monitor for good.
  maxAttempts: Number.POSITIVE_INFINITY,
});

export const scheduleId = (object: string): string => `${REFRESH_MONITOR.kind}:${object}`;

export const MONITOR_WORK = [STEP_MONITOR, REFRESH_MONITOR] as const;
