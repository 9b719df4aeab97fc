import type { Tx } from '../../../kernel/store/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';

/** How long a received mail is remembered for deduplication. Senders stop retrying after a few days at most. */
export const RECEIVED_KEPT_MS = 5 * DAY_MS;

/** Removes expired data of a mailbox. One item for each mailbox. */
export const TIDY_MAILBOX = defineWork<{ readonly mailbox: string }>('mail.tidy-mailbox', {
  title: 'Removes expired data of a mailbox',
  subject: 'mailbox',
  concurrency: 2,
});

/** Called in the transaction that stores something until `dueAt`. */
export const tidyAt = (tx: Tx, mailbox: string, dueAt: number): Promise<void> =>
  tx.wake(TIDY_MAILBOX.at(dueAt, { mailbox }, `mail.tidy-mailbox:${mailbox}`));
