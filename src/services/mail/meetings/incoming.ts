import type { MailboxWriter } from '../mailbox/writer.ts';
import type { MeetingMessage } from '../messages/types.ts';
import { receiveCancellation } from './cancellation.ts';
import type { MeetingMail } from './meeting-mail.ts';
import { receiveReply } from './reply.ts';
import { receiveRequest } from './request.ts';

/**
 * Applies a mail about a meeting to the calendar, and returns the meeting fields of its message. Returns undefined for methods that are
 * plain messages here: ADD, REFRESH, DECLINECOUNTER, PUBLISH.
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
