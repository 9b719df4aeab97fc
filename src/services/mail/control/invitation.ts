import { etag } from '../../../kernel/ids/index.ts';
import { HOUR_MS, MINUTE_MS, parseDuration } from '../../../kernel/time/index.ts';
import { instantOf } from '../calendar/times.ts';
import type { CalendarAttendee, CalendarComponent } from '../ical/types.ts';
import { writeCalendar } from '../ical/write.ts';
import type { MailAddress } from '../mime/types.ts';
import { zoneOf } from '../zones/names.ts';
import { dayOfWall, LAST_WALL, parseWrittenTime, type ZonedTime, type ZoneName } from '../zones/wall.ts';
import { toWall } from '../zones/zone.ts';
import { invalid, type MeetingOrder } from './mail-order.ts';

const DEFAULT_LENGTH_MS = 30 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface MeetingMail {
  readonly organizer: MailAddress;
  readonly required: readonly MailAddress[];
  readonly optional: readonly MailAddress[];
  readonly subject: string;
  readonly text: string;
  readonly now: number;
}

/** The calendar of a meeting request or cancellation, as the organizer's calendar would send it. */
export function calendarOf(order: MeetingOrder, mail: MeetingMail): { readonly method: string; readonly text: string } {
  const method = order.isCancelled ? 'CANCEL' : 'REQUEST';
  return { method, text: writeCalendar({ method, productId: '', components: [componentOf(order, mail)] }) };
}

function componentOf(order: MeetingOrder, mail: MeetingMail): CalendarComponent {
  const { organizer, now } = mail;
  return {
    ...timesOf(order, now),
    uid: order.uid ?? `${etag()}${etag()}@${organizer.address.split('@')[1]}`,
    sequence: order.sequence ?? 0,
    stamp: now,
    isFloating: false,
    rules: [],
    exDates: [],
    dates: [],
    summary: mail.subject,
    description: mail.text,
    htmlDescription: '',
    location: order.location ?? '',
    locations: [],
    organizer,
    attendees: [...attendeesOf(mail, 'required'), ...attendeesOf(mail, 'optional')],
    status: order.isCancelled ? 'CANCELLED' : 'CONFIRMED',
    classification: 'PUBLIC',
    transparency: 'OPAQUE',
    busyStatus: 'TENTATIVE',
    intendedStatus: 'BUSY',
    disallowCounter: false,
    comment: '',
    categories: [],
    requestStatus: [],
    attachments: [],
  };
}

/** The organizer is not an attendee of the meeting. */
function attendeesOf({ organizer, ...mail }: MeetingMail, type: 'required' | 'optional'): CalendarAttendee[] {
  const invited = mail[type].filter(({ address }) => address.toLowerCase() !== organizer.address.toLowerCase());
  return invited.map(({ name, address }) => ({
    name,
    address,
    role: type === 'required' ? 'REQ-PARTICIPANT' : 'OPT-PARTICIPANT',
    partStat: 'NEEDS-ACTION',
    cuType: 'INDIVIDUAL',
    rsvp: true,
    delegatedTo: [],
    delegatedFrom: [],
  }));
}

type Times = Required<Pick<CalendarComponent, 'start' | 'end' | 'isAllDay'>>;

function timesOf(order: MeetingOrder, now: number): Times {
  const zone = zoneOf(order.timeZone ?? 'UTC');
  if (zone === undefined) throw invalid('meeting.timeZone', 'is not a known time zone');
  if (order.end !== undefined && order.duration !== undefined)
    throw invalid('meeting.duration', "cannot be given together with 'end'");
  const start = order.start === undefined ? nextHour(now, zone) : timeOf(order.start, zone, 'meeting.start');
  const isAllDay = isDay(order.start);
  if (order.end !== undefined && isDay(order.end) !== isAllDay)
    throw invalid('meeting.end', 'must be a day if the start is a day, and a time if it is a time');
  const end =
    order.end === undefined ? later(start, lengthOf(order.duration, isAllDay)) : timeOf(order.end, zone, 'meeting.end');
  if (instantOf(end) < instantOf(start)) throw invalid('meeting.end', 'is before the start');
  return { start, end, isAllDay };
}

const isDay = (text: string | undefined): boolean => text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text);

const nextHour = (now: number, zone: ZoneName): ZonedTime => ({
  zone,
  wall: toWall(zone, (Math.floor(now / HOUR_MS) + 1) * HOUR_MS),
});

function timeOf(text: string, zone: ZoneName, field: string): ZonedTime {
  const written = parseWrittenTime(text);
  if (!written) throw invalid(field, "must be a time like '2026-01-05T09:00:00Z', or a day");
  const { wall, offset } = written;
  return { zone, wall: offset === undefined ? wall : toWall(zone, wall - offset) };
}

/** Whole days keep the time of day; other durations are exact. */
function later({ zone, wall }: ZonedTime, length: number): ZonedTime {
  const end = length % DAY_MS === 0 ? wall + length : toWall(zone, instantOf({ zone, wall }) + length);
  if (end > LAST_WALL) throw invalid('meeting.duration', 'ends after the year 9999');
  return { zone, wall: end };
}

function lengthOf(duration: string | undefined, isAllDay: boolean): number {
  if (duration === undefined) return isAllDay ? DAY_MS : DEFAULT_LENGTH_MS;
  let length: number;
  try {
    length = parseDuration(duration);
  } catch (error) {
    throw invalid('meeting.duration', error instanceof Error ? error.message : 'is not a duration');
  }
  if (isAllDay && (length === 0 || dayOfWall(length) * DAY_MS !== length))
    throw invalid('meeting.duration', 'must be whole days if the start is a day');
  return length;
}
