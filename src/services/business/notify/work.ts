import { defineWork } from '../../../kernel/work/index.ts';

/** Closes a window: what has gathered in it is sent. */
export const NOTIFY = defineWork<{ readonly window: string; readonly id: string }>('business.notify', {
  maxAttempts: Number.POSITIVE_INFINITY,
});

export const notifyItem = (window: string): string => `${NOTIFY.kind}:${window}`;

/** Removes traces of changes beyond the number that is kept. */
export const PRUNE_CHANGES = defineWork<{ readonly kept: number }>('business.prune-changes');
