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
  /** An instant; absent while there is no answer. */
  readonly at?: number;
}

export interface Attendee extends Address {
  readonly type: AttendeeType;
  readonly status: ResponseStatus;
  readonly proposedNewTime?: { readonly start: ZonedTime; readonly end: ZonedTime };
  /** Of the answer that `status` is from, so that an older one does not replace it. */
  readonly answered?: { readonly sequence: number; readonly stamp: number };
}

export interface OnlineMeeting {
  readonly joinUrl: string;
  readonly conferenceId?: string;
  readonly tollNumber?: string;
}

/** What an event says: of a single event, of a series, or where an exception differs from its series. */
export interface EventContent {
  readonly subject: string;
  readonly body: ItemBody;
  readonly bodyPreview: string;
  readonly start: ZonedTime;
  readonly end: ZonedTime;
  /** As the client or the organizer named the zones; shown as originalStartTimeZone and originalEndTimeZone. */
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

/** How an occurrence differs from its series. `number` and `stamp` as in the event. */
export interface EventException extends Partial<EventContent>, Extras {
  readonly response?: ResponseStatus;
  readonly isCancelled?: boolean;
  readonly sequence?: number;
  readonly stamp?: number;
}

export interface EventSeries {
  /** RRULE values: the truth for expansion. One, but for what other calendars send. */
  readonly rules: readonly string[];
  /** RDATE: further starts. */
  readonly dates: readonly Wall[];
  /** The recurrence as it is shown; absent where no pattern comes near the rules. */
  readonly recurrence?: PatternedRecurrence;
  /** By the day that the rules give an occurrence, in the zone of the series: `2026-01-31`. */
  readonly exceptions: Readonly<Record<string, EventException>>;
  /** Days whose occurrence was deleted or cancelled. */
  readonly cancelled: readonly string[];
}

/**
 * An event of a calendar: a single one, or a whole series with its exceptions, in one document. The key is `{mailbox}/{uid}`. Occurrences are
 * computed; their ids are made from the uid and the day. Times without a zone are instants.
 */
export interface CalendarEvent extends EventContent, Extras {
  readonly uid: string;
  readonly mailbox: string;
  /** The uid of its calendar. */
  readonly calendar: string;
  readonly generation: number;
  readonly number: number;
  readonly createdNumber: number;
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** The UID in iCalendar: one for a series, equal in the mailboxes of organizer and attendees. */
  readonly iCalUid: string;
  readonly isOrganizer: boolean;
  readonly organizer: Address;
  readonly response: ResponseStatus;
  readonly isCancelled: boolean;
  /** SEQUENCE and DTSTAMP of the latest mail about it that was sent or received. */
  readonly sequence: number;
  readonly stamp: number;
  /** `showAs` once the invitation is accepted. */
  readonly intendedShowAs: ShowAs;
  /** X-MICROSOFT-CDO-OWNERAPPTID of the organizer's calendar, which wants it back in answers. */
  readonly ownerAppointmentId?: string;
  readonly series?: EventSeries;
  /** An occurrence of a series to which the mailbox is not invited as a whole: its day. */
  readonly loneOccurrence?: string;
  /** The client's key against double creation, and who used it. */
  readonly transactionId?: string;
  readonly transactionApplication?: string;
  /** From the start of the first occurrence to the end of the last one; without an end, `null`. */
  readonly spanFrom: number;
  readonly spanTo: number | null;
  /** Reminders that were dismissed or put off, by the day of the occurrence; `''` is a single event, or every occurrence. */
  readonly reminders?: Readonly<Record<string, ReminderState>>;
}

export interface ReminderState {
  /** The instant to which it was put off; absent where it was dismissed. */
  readonly snoozedTo?: number;
}

/** One occurrence of a series as an event of its own: computed, never stored. */
export interface Occurrence extends CalendarEvent {
  readonly master: CalendarEvent;
  /** The day that the rules give it, in the zone of the series. */
  readonly day: string;
  /** The start that the rules give it, in the zone of the series. */
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

/** Without an address: everybody of the own organization. */
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
