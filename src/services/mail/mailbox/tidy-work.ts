import type { Tx } from '../../../kernel/store/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';

/** How long a mail that is sent again is known. Senders give up after a few days at most. */
export const RECEIVED_KEPT_MS = 5 * DAY_MS;

/** What a mailbox keeps for a time only is to be removed. One item for each mailbox. */
export const TIDY_MAILBOX = defineWork<{ readonly mailbox: string }>('mail.tidy-mailbox', { concurrency: 2 });

/** In the transaction that keeps something until `dueAt`. */
export const tidyAt = (tx: Tx, mailbox: string, dueAt: number): Promise<void> =>
  tx.wake(TIDY_MAILBOX.at(dueAt, { mailbox }, `mail.tidy-mailbox:${mailbox}`));
