import { forwardedCalendar } from '../ical/forwarded-calendar.ts';
import type { ZoneName } from '../zones/wall.ts';
import { findInvitation } from './invitation.ts';
import { isProblem } from './problem.ts';
import { readMail } from './read.ts';
import type { MailAttachment, OutgoingMail, ParsedMail } from './types.ts';

/** The calendar of a received mail, in the form for another outgoing mail. */
export interface CarriedCalendar {
  readonly calendar: NonNullable<OutgoingMail['calendar']>;
  /** The attachments of the mail without the calendar. */
  readonly attachments: readonly MailAttachment[];
}

/** Returns undefined if the mail is not about a meeting. */
export function carriedCalendar(mail: ParsedMail, zone: ZoneName): CarriedCalendar | undefined {
  const found = findInvitation(mail, zone);
  if (!found || isProblem(found)) return undefined;
  const { part, calendar, attachments } = found;
  const text = forwardedCalendar(part.bytes, part.charset, calendar.method);
  return text === undefined ? undefined : { calendar: { method: calendar.method, text }, attachments };
}

export function calendarInSource(raw: Buffer, zone: ZoneName): CarriedCalendar['calendar'] | undefined {
  const mail = readMail(raw);
  return isProblem(mail) ? undefined : carriedCalendar(mail, zone)?.calendar;
}
