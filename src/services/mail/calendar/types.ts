import type { Address, EventType, Extras, Importance, ItemBody, Location } from '../messages/types.ts';
import type { PatternedRecurrence } from '../recurrence/types.ts';
import type { Wall, ZonedTime } from '../zones/wall.ts';

export const SHOW_AS = ['free', 'tentative', 'busy', 'oof', 'workingElsewhere', 'unknown'] as const;
export type ShowAs = (typeof SHOW_AS)[number];
export const SENSITIVITIES = ['normal', 'personal', 'private', 'confidential'] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];
export const RESPONSES = ['none', 'organizer', 'tentativelyAccepted', 'accepted', 'declined', 'notResponded'] as const;
export type Response = (typeof RESPONSES)[number];
export const ATTENDEE_TYPES = ['required', 'optional', 'resource'] as const;
export type AttendeeType = (typeof ATTENDEE_TYPES)[number];

export const MEETING_PROVIDERS = ['unknown', 'teamsForBusiness', 'skypeForBusiness', 'skypeForConsumer'] as const;
export type MeetingProvider = (typeof MEETING_PROVIDERS)[number];

export interface ResponseStatus {
  readonly response: Response;
  /** Instant of the response; absent while there is none. */
  readonly at?: number;
}

export interface Attendee extends Address {
  readonly type: AttendeeType;
  readonly status: ResponseStatus;
  readonly proposedNewTime?: { readonly start: ZonedTime; readonly end: ZonedTime };
  /** SEQUENCE and DTSTAMP of the answer that set `status`, so that an older answer does not replace it. */
  readonly answered?: { readonly sequence: number; readonly stamp: number };
}

export interface OnlineMeeting {
  readonly joinUrl: string;
  readonly conferenceId?: string;
  readonly tollNumber?: string;
}

/** Content of a single event or a series; an exception has only what differs from its series. */
export interface EventContent {
  readonly subject: string;
  readonly body: ItemBody;
  readonly bodyPreview: string;
  readonly start: ZonedTime;
  readonly end: ZonedTime;
  /** Zone names as the client or the organizer sent them; shown as originalStartTimeZone and originalEndTimeZone. */
  readonly startZoneName: string;
  readonly endZoneName: string;
  readonly isAllDay: boolean;
  readonly location: Location;
  readonly locations: readonly Location[];
  readonly attendees: readonly Attendee[];
  readonly importance: Importance;
  readonly sensitivity: Sensitivity;
  readonly showAs: ShowAs;
  readonly categories: readonly string[];
  readonly isReminderOn: boolean;
  readonly reminderMinutes: number;
  readonly responseRequested: boolean;
  readonly allowNewTimeProposals: boolean;
  readonly hideAttendees: boolean;
  readonly isOnlineMeeting: boolean;
  readonly onlineMeetingProvider: MeetingProvider;
  readonly onlineMeeting?: OnlineMeeting;
  readonly hasAttachments: boolean;
}

/** The differences between an occurrence and its series. `number` and `stamp` mean the same as in the event. */
export interface EventException extends Partial<EventContent>, Extras {
  readonly response?: ResponseStatus;
  readonly isCancelled?: boolean;
  readonly sequence?: number;
  readonly stamp?: number;
}

export interface EventSeries {
  /** RRULE values, the source for expansion. Exactly one, except in series from other calendars. */
  readonly rules: readonly string[];
  /** RDATE values: additional starts. */
  readonly dates: readonly Wall[];
  /** The recurrence that clients see; absent if no pattern approximates the rules. */
  readonly recurrence?: PatternedRecurrence;
  /** Keyed by the day that the rules give the occurrence, in the zone of the series: `2026-01-31`. */
  readonly exceptions: Readonly<Record<string, EventException>>;
  /** Days of deleted or cancelled occurrences. */
  readonly cancelled: readonly string[];
}

/**
 * A calendar event: a single event, or a whole series with its exceptions in one document. The key is `{mailbox}/{uid}`. Occurrences are
 * computed, with ids made of uid and day. Times without a zone are instants.
 */
export interface CalendarEvent extends EventContent, Extras {
  readonly uid: string;
  readonly mailbox: string;
  /** Uid of the calendar. */
  readonly calendar: string;
  readonly generation: number;
  readonly number: number;
  readonly createdNumber: number;
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** The UID in iCalendar: the same for all of a series, and in the mailboxes of organizer and attendees. */
  readonly iCalUid: string;
  readonly isOrganizer: boolean;
  readonly organizer: Address;
  readonly response: ResponseStatus;
  readonly isCancelled: boolean;
  /** SEQUENCE and DTSTAMP of the latest mail that was sent or received about the event. */
  readonly sequence: number;
  readonly stamp: number;
  /** The `showAs` that applies once the invitation is accepted. */
  readonly intendedShowAs: ShowAs;
  /** X-MICROSOFT-CDO-OWNERAPPTID of the organizer's calendar, which expects the same value in answers. */
  readonly ownerAppointmentId?: string;
  readonly series?: EventSeries;
  /** The day of the occurrence, if the mailbox is invited to this occurrence only and not to the series. */
  readonly loneOccurrence?: string;
  /** The client's idempotency key for creation, and the application that sent it. */
  readonly transactionId?: string;
  readonly transactionApplication?: string;
  /** From the start of the first occurrence to the end of the last one; `null` if the series is endless. */
  readonly spanFrom: number;
  readonly spanTo: number | null;
  /** Dismissed and snoozed reminders by the day of the occurrence; the key `''` is a single event, or every occurrence. */
  readonly reminders?: Readonly<Record<string, ReminderState>>;
}

export interface ReminderState {
  /** The instant to which the reminder is snoozed; absent if it was dismissed. */
  readonly snoozedTo?: number;
}

/** One occurrence of a series in the form of an event: computed, never stored. */
export interface Occurrence extends CalendarEvent {
  readonly master: CalendarEvent;
  /** The day that the rules give the occurrence, in the zone of the series. */
  readonly day: string;
  /** The start that the rules give the occurrence, in the zone of the series. */
  readonly slot: Wall;
  readonly isException: boolean;
}

export const isOccurrence = (event: CalendarEvent | Occurrence): event is Occurrence => 'master' in event;

export const CALENDAR_COLORS = [
  'auto',
  'lightBlue',
  'lightGreen',
  'lightOrange',
  'lightGray',
  'lightYellow',
  'lightTeal',
  'lightPink',
  'lightBrown',
  'lightRed',
  'maxColor',
] as const;
export type CalendarColor = (typeof CALENDAR_COLORS)[number];

export interface Calendar {
  readonly uid: string;
  readonly mailbox: string;
  readonly group: string;
  readonly name: string;
  readonly color: CalendarColor;
  readonly hexColor: string;
  readonly isDefault: boolean;
  readonly number: number;
  readonly createdNumber: number;
  readonly permissions: readonly CalendarPermission[];
  readonly defaultOnlineMeetingProvider: MeetingProvider;
}

export const CALENDAR_ROLES = [
  'none',
  'freeBusyRead',
  'limitedRead',
  'read',
  'write',
  'delegateWithoutPrivateEventAccess',
  'delegateWithPrivateEventAccess',
  'custom',
] as const;
export type CalendarRole = (typeof CALENDAR_ROLES)[number];

/** A permission without an address is for the whole organization of the owner. */
export interface CalendarPermission {
  readonly uid: string;
  readonly role: CalendarRole;
  readonly address: Address | null;
  readonly isRemovable: boolean;
}

export interface CalendarGroup {
  readonly uid: string;
  readonly mailbox: string;
  readonly name: string;
  readonly classId: string;
  readonly isDefault: boolean;
  readonly number: number;
  readonly createdNumber: number;
}

export function eventTypeOf(event: CalendarEvent | Occurrence): EventType {
  if (isOccurrence(event)) return event.isException ? 'exception' : 'occurrence';
  if (event.series) return 'seriesMaster';
  return event.loneOccurrence === undefined ? 'singleInstance' : 'exception';
}
