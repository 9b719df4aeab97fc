import { defineWork } from '../../../kernel/work/index.ts';

/** Closes a window and sends its entries. */
export const NOTIFY = defineWork<{ readonly window: string; readonly id: string }>('business.notify', {
  title: 'Sends the entries of a window',
  subject: 'window',
  maxAttempts: Number.POSITIVE_INFINITY,
});

export const notifyItem = (window: string): string => `${NOTIFY.kind}:${window}`;

/** Removes the oldest traces of changes beyond the configured number. */
export const PRUNE_CHANGES = defineWork<{ readonly kept: number }>('business.prune-changes', {
  title: 'Deletes the oldest traces of changes',
});
