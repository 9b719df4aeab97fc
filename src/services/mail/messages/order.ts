import type { Order } from '../../../kernel/store/index.ts';

/**
 * Default order of messages. Many messages have the same time: the clock of a test stands still, and dates in mail are whole seconds. Those
 * are ordered by arrival, with numbers that are unique in the mailbox, so that pages neither repeat nor skip a message.
 */

const LATEST_ARRIVAL: Order = { field: 'createdNumber', descending: true };

export const NEWEST_FIRST: readonly Order[] = [{ field: 'receivedAt', descending: true }, LATEST_ARRIVAL];

/** Searches are ordered by the time of sending. */
export const LAST_SENT_FIRST: readonly Order[] = [{ field: 'sentAt', descending: true }, LATEST_ARRIVAL];
