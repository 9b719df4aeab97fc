import { methodProblem } from '../ical/method.ts';
import { readCalendar } from '../ical/read.ts';
import type { CalendarObject } from '../ical/types.ts';
import type { ZoneName } from '../zones/wall.ts';
import { isProblem, type Problem, problem } from './problem.ts';
import type { CalendarPart, MailAttachment, ParsedMail } from './types.ts';

/** The calendar that a mail is about. */
export interface Invitation {
  readonly part: CalendarPart;
  /** `method` is never empty. */
  readonly calendar: CalendarObject;
  /** Other parts with the same UID, SEQUENCE and DTSTAMP, such as the `invite.ics` beside Google's invitations. */
  readonly twins: readonly CalendarPart[];
  /** The attachments of the mail without the invitation itself, where that is one. Twins are files that the reader may keep. */
  readonly attachments: readonly MailAttachment[];
}

/** Parts that are looked at: the bound of one calendar is no bound of a mail with a thousand. */
const MOST_CALENDARS = 10;

/**
 * Chooses the invitation among the calendar parts of a mail (RFC 6047): one in multipart/alternative before one beside it, and that before
 * an attached one. Undefined when the mail has no calendar; a Problem when it is a plain message in spite of one.
 */
export function findInvitation(mail: ParsedMail, mailboxZone: ZoneName): Invitation | Problem | undefined {
  const ranked = [...mail.calendars].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, MOST_CALENDARS);
  let first: Problem | undefined;
  for (const [position, part] of ranked.entries()) {
    const calendar = readInvitation(part, mailboxZone);
    if (isProblem(calendar)) {
      first ??= calendar;
      // A part whose two methods disagree makes the mail a plain message, whatever else it carries.
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

/** METHOD and the method parameter must agree; one of them alone is enough. */
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
