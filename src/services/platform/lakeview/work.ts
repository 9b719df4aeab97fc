import { defineWork } from '../../../kernel/work/index.ts';

/** A dashboard's schedule is due. The key is that of the schedule. */
export const SEND_DASHBOARD = defineWork<{ readonly key: string }>('platform.send-dashboard', {
  title: 'Sends a dashboard to its subscribers',
  subject: 'key',
  recurs: true,
  concurrency: 4,
  // Parking the item would end the schedule permanently.
  maxAttempts: Number.POSITIVE_INFINITY,
});

export const sendingId = (key: string): string => `${SEND_DASHBOARD.kind}:${key}`;
