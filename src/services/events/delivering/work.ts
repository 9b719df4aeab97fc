import { defineWork } from '../../../kernel/work/index.ts';

/** Queues deliveries of acknowledged events in steps. */
export const FAN_OUT = defineWork<{ readonly id: string }>('events.fan-out', {
  title: 'Queues the deliveries of an event',
  subject: 'id',
  maxAttempts: Number.POSITIVE_INFINITY,
});
/** Removes the oldest traces beyond the configured number. */
export const PRUNE_TRACES = defineWork<{ readonly kept: number }>('events.prune-traces', {
  title: 'Deletes the oldest traces of events',
});
