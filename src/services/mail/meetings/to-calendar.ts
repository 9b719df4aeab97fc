import { contentAt, exceptionOf, isMaster, slotOf } from '../calendar/content.ts';
import type { Attendee, CalendarEvent, EventContent, Response, ShowAs } from '../calendar/types.ts';
import type { CalendarAttendee, CalendarComponent, RecurrenceId } from '../ical/types.ts';
import type { Address } from '../messages/types.ts';
import { htmlToText } from '../mime/text.ts';
import { parseDate, timeOfDay } from '../zones/wall.ts';

/** Converts an event to the calendar components of a mail. */

const STATUSES: Readonly<Record<ShowAs, string>> = {
  free: 'FREE',
  tentative: 'TENTATIVE',
  busy: 'BUSY',
  oof: 'OOF',
  workingElsewhere: 'WORKINGELSEWHERE',
  unknown: 'BUSY',
};
const CLASSES = { normal: 'PUBLIC', personal: 'X-PERSONAL', private: 'PRIVATE', confidential: 'CONFIDENTIAL' } as const;
const IMPORTANCES = { low: 0, normal: 1, high: 2 } as const;
const PRIORITIES = { low: 9, normal: 5, high: 1 } as const;
const PART_STATS: Readonly<Record<Response, string>> = {
  none: 'NEEDS-ACTION',
  organizer: 'ACCEPTED',
  notResponded: 'NEEDS-ACTION',
  accepted: 'ACCEPTED',
  tentativelyAccepted: 'TENTATIVE',
  declined: 'DECLINED',
};

export const partStatOf = (response: Response): string => PART_STATS[response];

/** Components of the whole event: a master with its exceptions, or a single event. */
export function wholeComponents(event: CalendarEvent): readonly CalendarComponent[] {
  if (!isMaster(event)) return [componentOf(event, event)];
  const days = Object.keys(event.series.exceptions).filter((day) => !event.series.cancelled.includes(day));
  const overrides = days.flatMap((day) => occurrenceComponent(event, day) ?? []);
  return [{ ...componentOf(event, event), ...rulesOf(event) }, ...overrides];
}

function rulesOf(event: CalendarEvent): Pick<CalendarComponent, 'rules' | 'dates' | 'exDates'> {
  const { series, start, isAllDay } = event;
  if (!series) return { rules: [], dates: [], exDates: [] };
  return {
    rules: series.rules,
    dates: series.dates.map((wall) => ({ time: { wall, zone: start.zone }, isDate: isAllDay })),
    exDates: series.cancelled.flatMap((day) => recurrenceIdOf(event, day) ?? []),
  };
}

/** The current component of one occurrence. */
export function occurrenceComponent(event: CalendarEvent, day: string): CalendarComponent | undefined {
  const content = contentAt(event, day);
  const recurrenceId = recurrenceIdOf(event, day);
  if (!content || !recurrenceId) return undefined;
  const own = isMaster(event) ? exceptionOf(event, day) : undefined;
  return {
    ...componentOf(event, content),
    recurrenceId,
    sequence: Math.max(event.sequence, own?.sequence ?? 0),
    stamp: own?.stamp ?? event.stamp,
  };
}

/** The start that the rules give an occurrence. */
export function recurrenceIdOf(event: CalendarEvent, day: string): RecurrenceId | undefined {
  const { start, isAllDay } = event;
  const midnight = parseDate(day);
  if (midnight === undefined) return undefined;
  const wall = (isMaster(event) ? slotOf(event, day) : undefined) ?? midnight + timeOfDay(start.wall);
  return { time: { wall, zone: start.zone }, isDate: isAllDay, thisAndFuture: false };
}

function componentOf(event: CalendarEvent, content: EventContent): CalendarComponent {
  const isHtml = content.body.contentType === 'html';
  // When an invitee forwards, the organizer's `showAs` is sent, not the tentative one of the invitee's copy.
  const intended = event.isOrganizer ? content.showAs : event.intendedShowAs;
  return {
    uid: event.iCalUid,
    sequence: event.sequence,
    stamp: event.stamp,
    created: event.createdAt,
    lastModified: event.modifiedAt,
    start: content.start,
    end: content.end,
    isAllDay: content.isAllDay,
    isFloating: false,
    rules: [],
    exDates: [],
    dates: [],
    summary: content.subject,
    description: isHtml ? htmlToText(content.body.content) : content.body.content,
    htmlDescription: isHtml ? content.body.content : '',
    location: content.location.displayName,
    locations: content.locations.length > 1 ? content.locations.map(({ displayName }) => ({ displayName })) : [],
    organizer: { address: event.organizer.address, name: event.organizer.name },
    attendees: content.attendees.map((attendee) => attendeeOf(attendee, content.responseRequested)),
    status: event.isCancelled ? 'CANCELLED' : 'CONFIRMED',
    classification: CLASSES[content.sensitivity],
    priority: PRIORITIES[content.importance],
    transparency: intended === 'free' ? 'TRANSPARENT' : 'OPAQUE',
    busyStatus: 'TENTATIVE',
    intendedStatus: STATUSES[intended],
    importance: IMPORTANCES[content.importance],
    disallowCounter: !content.allowNewTimeProposals,
    comment: '',
    categories: [],
    ...(content.onlineMeeting && { joinUrl: content.onlineMeeting.joinUrl }),
    requestStatus: [],
    attachments: [],
    ...(event.ownerAppointmentId !== undefined && { ownerAppointmentId: event.ownerAppointmentId }),
  };
}

const attendeeOf = ({ name, address, type, status }: Attendee, rsvp: boolean): CalendarAttendee => ({
  address,
  name,
  role: type === 'required' ? 'REQ-PARTICIPANT' : type === 'optional' ? 'OPT-PARTICIPANT' : 'NON-PARTICIPANT',
  partStat: PART_STATS[status.response],
  cuType: type === 'resource' ? 'RESOURCE' : 'INDIVIDUAL',
  rsvp,
  delegatedTo: [],
  delegatedFrom: [],
});

/** The row of a new attendee, such as the recipient of a forwarded invitation. */
export const newAttendee = ({ name, address }: Address, rsvp: boolean): CalendarAttendee =>
  attendeeOf({ name, address, type: 'required', status: { response: 'none' } }, rsvp);
