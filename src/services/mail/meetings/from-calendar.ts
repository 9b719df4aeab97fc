import { contentPreview } from '../api/content.ts';
import type {
  Attendee,
  AttendeeType,
  EventContent,
  EventException,
  EventSeries,
  Sensitivity,
  ShowAs,
} from '../calendar/types.ts';
import type { CalendarAttendee, CalendarComponent, CalendarLocation } from '../ical/types.ts';
import { placeNamed } from '../messages/location.ts';
import type { Importance, ItemBody, Location } from '../messages/types.ts';
import { cutText } from '../mime/one-line.ts';
import { toPattern } from '../recurrence/from-rule.ts';
import { parseRule } from '../recurrence/rule.ts';
import { windowsName } from '../zones/names.ts';
import { formatDate, type ZonedTime } from '../zones/wall.ts';
import { toInstant, toWall } from '../zones/zone.ts';

/** Converts the calendar of a mail to event content. */

const SHOWN: Readonly<Record<string, ShowAs>> = {
  FREE: 'free',
  TENTATIVE: 'tentative',
  BUSY: 'busy',
  OOF: 'oof',
  WORKINGELSEWHERE: 'workingElsewhere',
};
const SENSITIVITIES: Readonly<Record<string, Sensitivity>> = {
  PRIVATE: 'private',
  CONFIDENTIAL: 'confidential',
  'X-PERSONAL': 'personal',
};
const LONGEST_SUBJECT = 255;
const REMINDER_MINUTES = 15;

/** A component with times. Answers and cancellations may lack them. */
export type TimedComponent = CalendarComponent & { readonly start: ZonedTime; readonly end: ZonedTime };
export const isTimed = (component: CalendarComponent): component is TimedComponent =>
  component.start !== undefined && component.end !== undefined;

/** `mailBody` is the body of the mail; it is used if the calendar has no description. */
export function contentFrom(component: TimedComponent, mailBody: ItemBody): EventContent {
  const body = bodyOf(component, mailBody);
  const locations = component.locations.map(locationOf);
  const location = placeNamed(component.location);
  return {
    subject: cutText(component.summary, LONGEST_SUBJECT),
    body,
    bodyPreview: contentPreview(body),
    start: component.start,
    end: component.end,
    startZoneName: windowsName(component.start.zone),
    endZoneName: windowsName(component.end.zone),
    isAllDay: component.isAllDay,
    location,
    locations: locations.length > 0 ? locations : component.location === '' ? [] : [location],
    attendees: attendeesOf(component),
    importance: importanceOf(component),
    sensitivity: SENSITIVITIES[component.classification] ?? 'normal',
    // Tentative until the owner responds; `intendedShowAs` applies after acceptance.
    showAs: 'tentative',
    categories: [],
    isReminderOn: true,
    reminderMinutes: REMINDER_MINUTES,
    responseRequested: true,
    allowNewTimeProposals: !component.disallowCounter,
    hideAttendees: false,
    isOnlineMeeting: component.joinUrl !== undefined,
    onlineMeetingProvider: 'unknown',
    ...(component.joinUrl !== undefined && { onlineMeeting: { joinUrl: component.joinUrl } }),
    // Set later, when the attachments are stored.
    hasAttachments: false,
  };
}

function bodyOf({ htmlDescription, description }: CalendarComponent, mailBody: ItemBody): ItemBody {
  if (htmlDescription !== '') return { contentType: 'html', content: htmlDescription };
  if (mailBody.contentType === 'html' && mailBody.content !== '') return mailBody;
  return description === '' ? mailBody : { contentType: 'text', content: description };
}

const locationOf = ({ displayName, address, uri, latitude, longitude }: CalendarLocation): Location => ({
  ...placeNamed(displayName),
  ...(address !== undefined && { address: { street: address } }),
  ...(uri !== undefined && { locationUri: uri }),
  ...(latitude !== undefined && longitude !== undefined && { coordinates: { latitude, longitude } }),
});

/** An invitee's copy lists the organizer too. It does not show the responses of other attendees. */
function attendeesOf({ organizer, attendees }: CalendarComponent): readonly Attendee[] {
  const status = { response: 'none' } as const;
  const seen = new Set<string>();
  const all: Attendee[] = [];
  const add = (attendee: Attendee): void => {
    const key = attendee.address.toLowerCase();
    if (seen.has(key)) return;
    seen.add(key);
    all.push(attendee);
  };
  for (const each of attendees)
    add({ name: each.name || each.address, address: each.address, type: typeOf(each), status });
  if (organizer && organizer.address !== '')
    add({ name: organizer.name || organizer.address, address: organizer.address, type: 'required', status });
  return all;
}

export function typeOf({ role, cuType }: CalendarAttendee): AttendeeType {
  if (cuType === 'RESOURCE' || cuType === 'ROOM') return 'resource';
  return role === 'OPT-PARTICIPANT' || role === 'NON-PARTICIPANT' ? 'optional' : 'required';
}

function importanceOf({ importance, priority = 0 }: CalendarComponent): Importance {
  if (importance !== undefined) return importance === 0 ? 'low' : importance === 2 ? 'high' : 'normal';
  if (priority >= 1 && priority <= 4) return 'high';
  return priority >= 6 ? 'low' : 'normal';
}

export function intendedShowAs({ intendedStatus, busyStatus, transparency }: CalendarComponent): ShowAs {
  const said = SHOWN[intendedStatus ?? ''] ?? (busyStatus === 'TENTATIVE' ? undefined : SHOWN[busyStatus ?? '']);
  return said ?? (transparency === 'TRANSPARENT' ? 'free' : 'busy');
}

/**
 * Decided by the RSVP of the mailbox owner's row; if the owner has no row, by any row with RSVP. If no row has RSVP, a response is
 * requested.
 */
export function isAnswerRequested({ attendees }: CalendarComponent, address: string): boolean {
  const own = attendees.find((each) => each.address.toLowerCase() === address.toLowerCase());
  if (own?.rsvp !== undefined) return own.rsvp;
  const said = attendees.filter(({ rsvp }) => rsvp !== undefined);
  return said.length === 0 || said.some(({ rsvp }) => rsvp);
}

/** The day that the rules of a series give an occurrence, in the zone of the series. */
export function dayOfTime(
  { time, isDate }: { readonly time: ZonedTime; readonly isDate: boolean },
  series: ZonedTime,
): string {
  if (isDate || time.zone === series.zone) return formatDate(time.wall);
  return formatDate(toWall(series.zone, toInstant(time.zone, time.wall)));
}

/** The series of a master with its overrides; undefined for a single event. */
export function seriesFrom(
  master: TimedComponent,
  overrides: readonly TimedComponent[],
  mailBody: ItemBody,
): EventSeries | undefined {
  const rules = master.rules.filter((rule) => parseRule(rule) !== undefined);
  if (rules.length === 0 && master.dates.length === 0) return undefined;
  const { start, isAllDay } = master;
  const parsed = rules.flatMap((rule) => parseRule(rule) ?? []);
  const dates = master.dates.map(({ time }) =>
    time.zone === start.zone ? time.wall : toWall(start.zone, toInstant(time.zone, time.wall)),
  );
  const series = { start: start.wall, zone: start.zone, rules: parsed, dates, exDates: [], isAllDay };
  const shown = toPattern(series, windowsName(start.zone));
  const exceptions: Record<string, EventException> = {};
  for (const override of overrides) {
    if (!override.recurrenceId || override.recurrenceId.thisAndFuture) continue;
    exceptions[dayOfTime(override.recurrenceId, start)] = exceptionFrom(override, mailBody);
  }
  return {
    rules,
    dates,
    ...(shown.fit !== 'none' && { recurrence: shown.recurrence }),
    exceptions,
    cancelled: [...new Set(master.exDates.map((date) => dayOfTime(date, start)))],
  };
}

/**
 * The exception of an occurrence: all properties that invitations carry. Properties that are private to the mailbox stay those of the
 * series.
 */
export function exceptionFrom(component: TimedComponent, mailBody: ItemBody): EventException {
  const {
    showAs: _showAs,
    categories: _categories,
    isReminderOn: _isReminderOn,
    reminderMinutes: _reminderMinutes,
    hasAttachments: _hasAttachments,
    ...content
  } = contentFrom(component, mailBody);
  return { ...content, sequence: component.sequence, ...(component.stamp !== undefined && { stamp: component.stamp }) };
}
