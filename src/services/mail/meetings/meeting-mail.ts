import type { CalendarComponent, CalendarObject } from '../ical/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Address, ItemBody } from '../messages/types.ts';
import type { MailAttachment } from '../mime/types.ts';

/** What a mail with a calendar brings, beside the calendar itself. */
export interface MeetingMail {
  readonly object: CalendarObject;
  readonly from: Address | undefined;
  /** The addresses of From, Sender and Reply-To. */
  readonly senders: readonly string[];
  /** The address that the mail was delivered to. */
  readonly recipient: string;
  readonly body: ItemBody;
  /** What the mail has attached beside the calendar. */
  readonly files: readonly MailAttachment[];
  readonly receivedAt: number;
  /** Of colleagues who have the owner's earlier messages about meetings too. */
  readonly delegates: readonly MailboxWriter[];
}

/** A request, and whether its sender may change a meeting that the mailbox knows (`mayChangeMeeting`). */
export interface RequestMail extends MeetingMail {
  readonly mayChange: boolean;
}

/** Occurrences without their series that one mail is processed for, and that a calendar has of one meeting. Each costs several reads and writes. */
export const MOST_OCCURRENCES = 100;

/** Version of a component; the stamp of a critical change is finer than DTSTAMP where both sides have it. */
export const versionOf = ({ sequence, stamp, criticalChange }: CalendarComponent, receivedAt: number) => ({
  sequence,
  stamp: criticalChange ?? stamp ?? receivedAt,
});

export const sameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
