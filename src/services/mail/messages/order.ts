import type { Order } from '../../../kernel/store/index.ts';

/**
 * How lists of messages are ordered unless a client says otherwise. Many messages have the same time: the clock of a test stands still, and dates in mail are
 * whole seconds. Those are in the order of their arrival, by numbers that no two messages of a mailbox have, so that pages neither repeat nor miss one.
 */

const LATEST_ARRIVAL: Order = { field: 'createdNumber', descending: true };

export const NEWEST_FIRST: readonly Order[] = [{ field: 'receivedAt', descending: true }, LATEST_ARRIVAL];

/** Searches go by the time of sending. */
export const LAST_SENT_FIRST: readonly Order[] = [{ field: 'sentAt', descending: true }, LATEST_ARRIVAL];
