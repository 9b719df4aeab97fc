import type { CalendarComponent, CalendarObject } from '../ical/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Address, ItemBody } from '../messages/types.ts';
import type { MailAttachment } from '../mime/types.ts';

/** A mail with a calendar. */
export interface MeetingMail {
  readonly object: CalendarObject;
  readonly from: Address | undefined;
  /** The addresses of From, Sender and Reply-To. */
  readonly senders: readonly string[];
  /** The address that the mail was delivered to. */
  readonly recipient: string;
  readonly body: ItemBody;
  /** File attachments of the mail, without the calendar. */
  readonly files: readonly MailAttachment[];
  readonly receivedAt: number;
  /** Mailboxes of delegates who also have the owner's earlier meeting messages. */
  readonly delegates: readonly MailboxWriter[];
}

/** A request, and whether its sender may change a meeting that the mailbox knows (`mayChangeMeeting`). */
export interface RequestMail extends MeetingMail {
  readonly mayChange: boolean;
}

/**
 * Bounds the occurrences without their series, both in one mail and in the calendar for one meeting. Each costs several reads and writes.
 */
export const MOST_OCCURRENCES = 100;

/** Version of a component. The critical-change time is finer than DTSTAMP, and is used if present. */
export const versionOf = ({ sequence, stamp, criticalChange }: CalendarComponent, receivedAt: number) => ({
  sequence,
  stamp: criticalChange ?? stamp ?? receivedAt,
});

export const sameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
