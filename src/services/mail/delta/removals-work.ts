import type { Tx } from '../../../kernel/store/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';

/** How long delta reports removed items. An older token is answered with 410, and its client starts over. */
export const REMOVALS_KEPT_MS = 30 * DAY_MS;

/** One item for each mailbox, woken by every removal. */
export const FORGET_REMOVALS = defineWork<{ readonly mailbox: string }>('mail.forget-removals', {
  title: 'Forgets old removals of a mailbox',
  subject: 'mailbox',
  concurrency: 2,
});

/** Called in the transaction that removes an item. */
export const keepRemovals = ({
  tx,
  now,
  mailbox,
}: {
  readonly tx: Tx;
  readonly now: number;
  readonly mailbox: { readonly id: string };
}): Promise<void> =>
  tx.wake(FORGET_REMOVALS.at(now + REMOVALS_KEPT_MS, { mailbox: mailbox.id }, `mail.forget-removals:${mailbox.id}`));
