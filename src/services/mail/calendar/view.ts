import { isoTime } from '../../../kernel/time/index.ts';
import { contentOf } from '../api/content.ts';
import type { Viewer } from '../api/request.ts';
import { selects, shownId } from '../api/show.ts';
import { shownInstant, shownRecipient, shownTime } from '../api/values.ts';
import { changeKeyOf, etagOf } from '../mailbox/ids.ts';
import { shownLocation } from '../messages/location.ts';
import { isMaster, occurrenceOn } from './content.ts';
import { shownUid } from './ical-uid.ts';
import { sharedContent } from './shared-view.ts';
import { instantOf } from './times.ts';
import {
  type Attendee,
  type CalendarEvent,
  eventTypeOf,
  isOccurrence,
  type Occurrence,
  type OnlineMeeting,
  type ResponseStatus,
} from './types.ts';

type View = Record<string, unknown>;

/** An event, or its occurrence on a day, as the API shows it. Content is left out if the token has only a basic permission. */
export function eventView(call: Viewer, given: CalendarEvent | Occurrence, day?: string): View {
  const found = day !== undefined && isMaster(given) ? (occurrenceOn(given, day) ?? given) : given;
  const event = sharedContent(call, found);
  const changeKey = changeKeyOf(event.uid, event.number);
  const { isAllDay } = event;
  const isBeta = call.version === 'beta';
  return {
    '@odata.etag': etagOf(changeKey),
    id: eventId(call, event),
    createdDateTime: preciseInstant(event.createdAt),
    lastModifiedDateTime: preciseInstant(event.modifiedAt),
    changeKey,
    categories: event.categories,
    transactionId: event.transactionId ?? null,
    originalStartTimeZone: event.startZoneName,
    originalEndTimeZone: event.endZoneName,
    iCalUId: shownUid(event),
    ...(isBeta && { uid: event.iCalUid }),
    reminderMinutesBeforeStart: event.reminderMinutes,
    isReminderOn: event.isReminderOn,
    hasAttachments: event.hasAttachments,
    subject: event.subject,
    ...(!call.isBasic && { bodyPreview: event.bodyPreview }),
    importance: event.importance,
    sensitivity: event.sensitivity,
    ...(isOccurrence(event) && { originalStart: shownInstant(originalStart(event)) }),
    isAllDay,
    isCancelled: event.isCancelled,
    isOrganizer: event.isOrganizer,
    responseRequested: event.responseRequested,
    seriesMasterId: isOccurrence(event) ? shownId(call, event) : null,
    showAs: event.showAs,
    type: eventTypeOf(event),
    webLink: webLink(call, event),
    onlineMeetingUrl: null,
    isOnlineMeeting: event.isOnlineMeeting,
    onlineMeetingProvider: event.onlineMeetingProvider,
    allowNewTimeProposals: event.allowNewTimeProposals,
    ...(isBeta && { occurrenceId: isOccurrence(event) ? occurrenceId(call, event, event.day) : null }),
    isDraft: false,
    hideAttendees: event.hideAttendees,
    responseStatus: shownStatus(event.response),
    ...(!call.isBasic && { body: contentOf(event.body, call.prefer) }),
    start: shownTime(event.start, call.prefer, isAllDay),
    end: shownTime(event.end, call.prefer, isAllDay),
    location: shownLocation(event.location),
    locations: event.locations.map(shownLocation),
    recurrence: event.series?.recurrence ?? null,
    attendees: event.attendees.map((attendee) => shownAttendee(call, attendee, isAllDay)),
    organizer: shownRecipient(event.organizer),
    onlineMeeting: event.onlineMeeting ? shownMeeting(event.onlineMeeting) : null,
    ...(isMaster(event) && selectedOccurrences(call, event)),
  };
}

/** The id in the form that the client prefers. The id of an occurrence includes its day. */
export const eventId = (call: Viewer, event: CalendarEvent | Occurrence): string =>
  shownId(call, event, isOccurrence(event) ? event.day : undefined);

export const occurrenceId = (call: Viewer, master: CalendarEvent, day: string): string =>
  `OID.${shownId(call, master)}.${day}`;

/** Lists of a master that are shown only if `$select` names them. */
function selectedOccurrences(call: Viewer, master: CalendarEvent): View {
  if (!isMaster(master)) return {};
  const { cancelled } = master.series;
  return {
    ...(selects(call, 'cancelledOccurrences') && {
      cancelledOccurrences: [...cancelled].sort().map((day) => occurrenceId(call, master, day)),
    }),
    ...(call.version === 'beta' &&
      selects(call, 'exceptionOccurrences') && {
        exceptionOccurrences: exceptionsOf(master).map((each) => eventView({ ...call, query: {} }, each)),
      }),
  };
}

/** The exceptions of a series, ordered by day. */
export function exceptionsOf(event: CalendarEvent): readonly Occurrence[] {
  if (!isMaster(event)) return [];
  const { exceptions, cancelled } = event.series;
  const days = Object.keys(exceptions).filter((day) => !cancelled.includes(day));
  return days.sort().flatMap((day) => occurrenceOn(event, day) ?? []);
}

const originalStart = ({ slot, isAllDay, master }: Occurrence): number =>
  isAllDay ? slot : instantOf({ wall: slot, zone: master.start.zone });

/** The API writes instants of events with seven fractional digits. */
const preciseInstant = (at: number): string => isoTime(at).replace('Z', '0000Z');

const NO_TIME = '0001-01-01T00:00:00Z';

const shownStatus = ({ response, at }: ResponseStatus) => ({
  response,
  time: at === undefined ? NO_TIME : shownInstant(at),
});

const shownAttendee = ({ prefer }: Viewer, attendee: Attendee, isAllDay: boolean) => ({
  type: attendee.type,
  status: shownStatus(attendee.status),
  ...shownRecipient(attendee),
  ...(attendee.proposedNewTime && {
    proposedNewTime: {
      start: shownTime(attendee.proposedNewTime.start, prefer, isAllDay),
      end: shownTime(attendee.proposedNewTime.end, prefer, isAllDay),
    },
  }),
});

const shownMeeting = ({ joinUrl, conferenceId, tollNumber }: OnlineMeeting) => ({
  joinUrl,
  ...(conferenceId !== undefined && { conferenceId }),
  ...(tollNumber !== undefined && { tollNumber }),
});

/** Opens the event on the jar's own page. It contains the regular id, even if the client prefers immutable ids. */
const webLink = (call: Viewer, event: CalendarEvent | Occurrence): string => {
  const id = eventId({ ...call, prefer: { ...call.prefer, immutableIds: false } }, event);
  return `${call.origin}/owa/?itemid=${encodeURIComponent(id)}&exvsurl=1&path=/calendar/item`;
};
