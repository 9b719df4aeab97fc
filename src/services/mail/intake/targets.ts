import type { Mailbox } from '../mailbox/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Delegate } from './delegates.ts';
import { deliverLetter } from './deliver.ts';
import type { Letter } from './letter.ts';

/** A mailbox that a mail is for, by one of its addresses. */
export interface Target {
  readonly mailbox: Mailbox;
  readonly address: string;
  readonly delegates: readonly Delegate[];
}

/** All mailboxes that a mail may change: those that it is for, and those of their delegates. */
export const writtenBy = (targets: readonly Target[]): readonly Mailbox[] =>
  targets.flatMap(({ mailbox, delegates }) => [mailbox, ...delegates.map((delegate) => delegate.mailbox)]);

/** In the order of the ids of mailboxes, so that the same mail has the same order everywhere. */
export async function deliverToTargets(
  writerOf: (mailbox: Mailbox) => MailboxWriter,
  letter: Letter,
  targets: readonly Target[],
): Promise<void> {
  for (const { mailbox, address, delegates } of targets.toSorted((a, b) => (a.mailbox.id < b.mailbox.id ? -1 : 1))) {
    const writing = delegates.map(({ mailbox: own, maySeePrivate }) => ({ writer: writerOf(own), maySeePrivate }));
    await deliverLetter(writerOf(mailbox), letter, address, writing);
  }
}
