import { defineWork } from '../../../kernel/work/index.ts';

/** A schedule of a dashboard is due. The key is that of its document. */
export const SEND_DASHBOARD = defineWork<{ readonly key: string }>('platform.send-dashboard', {
  concurrency: 4,
  // A parked item would end the schedule for good.
  maxAttempts: Number.POSITIVE_INFINITY,
});

export const sendingId = (key: string): string => `${SEND_DASHBOARD.kind}:${key}`;
