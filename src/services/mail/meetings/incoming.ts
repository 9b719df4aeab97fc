import type { CalendarComponent, CalendarObject } from '../ical/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Address, ItemBody, MeetingMessage } from '../messages/types.ts';
import { receiveCancellation } from './cancellation.ts';
import { receiveReply } from './reply.ts';
import { receiveRequest } from './request.ts';

/** What a mail with a calendar brings, beside the calendar itself. */
export interface MeetingMail {
  readonly object: CalendarObject;
  readonly from: Address | undefined;
  /** The address that the mail was delivered to. */
  readonly recipient: string;
  readonly body: ItemBody;
  readonly receivedAt: number;
}

/**
 * Does to the calendar what a mail about a meeting asks for, and gives what its message shows of it. Undefined for methods that are plain messages
 * here: ADD, REFRESH, DECLINECOUNTER, PUBLISH.
 */
export function receiveMeeting(writer: MailboxWriter, mail: MeetingMail): Promise<MeetingMessage | undefined> {
  switch (mail.object.method) {
    case 'REQUEST':
      return receiveRequest(writer, mail);
    case 'CANCEL':
      return receiveCancellation(writer, mail);
    case 'REPLY':
    case 'COUNTER':
      return receiveReply(writer, mail);
    default:
      return Promise.resolve(undefined);
  }
}

/** Version of a component; the stamp of a critical change is finer than DTSTAMP where both sides have it. */
export const versionOf = ({ sequence, stamp, criticalChange }: CalendarComponent, receivedAt: number) => ({
  sequence,
  stamp: criticalChange ?? stamp ?? receivedAt,
});

export const sameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
