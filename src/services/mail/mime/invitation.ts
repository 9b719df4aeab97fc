import { methodProblem } from '../ical/method.ts';
import { readCalendar } from '../ical/read.ts';
import type { CalendarObject } from '../ical/types.ts';
import type { ZoneName } from '../zones/wall.ts';
import { isProblem, type Problem, problem } from './problem.ts';
import type { CalendarPart, MailAttachment, ParsedMail } from './types.ts';

/** The calendar part that makes a mail a meeting message. */
export interface Invitation {
  readonly part: CalendarPart;
  /** `method` is never empty. */
  readonly calendar: CalendarObject;
  /** Other parts with the same UID, SEQUENCE and DTSTAMP, such as the `invite.ics` beside Google's invitations. */
  readonly twins: readonly CalendarPart[];
  /** The attachments of the mail except the invitation itself. Twins are kept as files. */
  readonly attachments: readonly MailAttachment[];
}

/** At most this many calendar parts are parsed: the bounds of one calendar do not bound a mail with a thousand calendars. */
const MOST_CALENDARS = 10;

/**
 * Chooses the invitation among the calendar parts of a mail (RFC 6047): first a part in multipart/alternative, then a part outside one,
 * then an attachment. Returns undefined if the mail has no calendar, and a Problem if its calendars make it no meeting message.
 */
export function findInvitation(mail: ParsedMail, mailboxZone: ZoneName): Invitation | Problem | undefined {
  const ranked = [...mail.calendars].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, MOST_CALENDARS);
  let first: Problem | undefined;
  for (const [position, part] of ranked.entries()) {
    const calendar = readInvitation(part, mailboxZone);
    if (isProblem(calendar)) {
      first ??= calendar;
      // If the two methods of a part disagree, the mail is a plain message, whatever other parts it has.
      if (calendar.code === 'wrongMethod') return calendar;
      continue;
    }
    const twins = ranked
      .slice(position + 1)
      .filter((other) => isTwin(readCalendar(other.bytes, mailboxZone, other.charset), calendar));
    return {
      part,
      calendar,
      twins,
      attachments: mail.attachments.filter((attachment) => attachment !== part.attachment),
    };
  }
  return first;
}

function rankOf({ isAlternative, isAttachment, contentType }: CalendarPart): number {
  if (isAlternative) return 0;
  if (contentType === 'text/calendar') return isAttachment ? 2 : 1;
  return 3;
}

/** METHOD and the method parameter must agree if both are present; one of them is enough. */
function readInvitation(part: CalendarPart, mailboxZone: ZoneName): CalendarObject | Problem {
  const calendar = readCalendar(part.bytes, mailboxZone, part.charset);
  if (isProblem(calendar)) return calendar;
  if (part.method !== undefined && calendar.method !== '' && part.method !== calendar.method) {
    return problem('wrongMethod', 'the method parameter of the calendar part and METHOD disagree');
  }
  const whole = { ...calendar, method: calendar.method || (part.method ?? '') };
  return methodProblem(whole) ?? whole;
}

function isTwin(other: CalendarObject | Problem, calendar: CalendarObject): boolean {
  if (isProblem(other)) return false;
  const [a, b] = [other.components[0], calendar.components[0]];
  return a !== undefined && b !== undefined && a.uid === b.uid && a.sequence === b.sequence && a.stamp === b.stamp;
}
