import { defineWork } from '../../../kernel/work/index.ts';

/** Activates a new monitor, or starts or finishes a refresh. */
export const STEP_MONITOR = defineWork<{ readonly object: string; readonly refresh?: number }>(
  'platform.step-monitor',
  { title: 'Activates a monitor, or starts or finishes a refresh', subject: 'object', concurrency: 4 },
);

export const stepId = (object: string, refresh?: number): string =>
  `${STEP_MONITOR.kind}:${object}${refresh === undefined ? '' : `/${refresh}`}`;

/** The schedule of a monitor is due. */
export const REFRESH_MONITOR = defineWork<{ readonly object: string }>('platform.refresh-monitor', {
  title: 'Starts the scheduled refresh of a monitor',
  subject: 'object',
  recurs: true,
  concurrency: 4,
  // Parking the item would end the monitor's schedule permanently.
  maxAttempts: Number.POSITIVE_INFINITY,
});

export const scheduleId = (object: string): string => `${REFRESH_MONITOR.kind}:${object}`;

export const MONITOR_WORK = [STEP_MONITOR, REFRESH_MONITOR] as const;
