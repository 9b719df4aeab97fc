import type { Mailbox } from '../mailbox/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Delegate } from './delegates.ts';
import { deliverMail } from './deliver.ts';
import type { IncomingMail } from './incoming.ts';

/** A recipient mailbox, with the address that the mail names. */
export interface Target {
  readonly mailbox: Mailbox;
  readonly address: string;
  readonly delegates: readonly Delegate[];
}

/** All mailboxes that a mail may change: the recipients' and their delegates'. */
export const writtenBy = (targets: readonly Target[]): readonly Mailbox[] =>
  targets.flatMap(({ mailbox, delegates }) => [mailbox, ...delegates.map((delegate) => delegate.mailbox)]);

/** Delivers in the order of mailbox ids, so that the order does not depend on the mail. */
export async function deliverToTargets(
  writerOf: (mailbox: Mailbox) => MailboxWriter,
  incoming: IncomingMail,
  targets: readonly Target[],
): Promise<void> {
  for (const { mailbox, address, delegates } of targets.toSorted((a, b) => (a.mailbox.id < b.mailbox.id ? -1 : 1))) {
    const writing = delegates.map(({ mailbox: own, maySeePrivate }) => ({ writer: writerOf(own), maySeePrivate }));
    await deliverMail(writerOf(mailbox), incoming, address, writing);
  }
}
