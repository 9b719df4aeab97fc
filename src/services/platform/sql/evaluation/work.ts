import { defineWork } from '../../../../kernel/work/index.ts';

/** An alert with a schedule is due. The key is that of its document. */
export const EVALUATE_ALERT = defineWork<{ readonly key: string }>('platform.evaluate-alert', {
  title: 'Evaluates an alert',
  subject: 'key',
  recurs: true,
  concurrency: 8,
  // Retried without limit: a parked item would stop the schedule of its alert for good.
  maxAttempts: Number.POSITIVE_INFINITY,
});

export const evaluationId = (key: string): string => `${EVALUATE_ALERT.kind}:${key}`;
