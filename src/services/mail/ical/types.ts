import type { ZonedTime } from '../zones/wall.ts';

/**
 * One iCalendar object as the mail service uses it: the events of one UID under one METHOD (RFC 5546). The form is that of RFC 5545, not
 * that of the Graph API, so that nothing is lost between reading and writing; the words of enumerations are upper case.
 */
export interface CalendarObject {
  /** METHOD in upper case, for example `REQUEST`; empty when the object has none. */
  readonly method: string;
  /** PRODID; empty when the object has none. */
  readonly productId: string;
  /** At least one. The master (or the single event) first where there is one, then overrides by RECURRENCE-ID. All have the same UID. */
  readonly components: readonly CalendarComponent[];
}

/** One VEVENT. */
export interface CalendarComponent {
  readonly uid: string;
  /** SEQUENCE, else X-MICROSOFT-CDO-APPT-SEQUENCE, else 0. */
  readonly sequence: number;
  /** DTSTAMP as an instant (milliseconds since 1970). */
  readonly stamp?: number;
  /** X-MICROSOFT-CDO-OWNER-CRITICAL-CHANGE as an instant, or the ATTENDEE one in a REPLY or COUNTER. Finer than `stamp` for what is out of date. */
  readonly criticalChange?: number;
  readonly created?: number;
  readonly lastModified?: number;
  /** The original start of the occurrence that this component overrides, answers or cancels. */
  readonly recurrenceId?: RecurrenceId;
  /** Missing only where the METHOD allows it (REPLY, CANCEL). */
  readonly start?: ZonedTime;
  /** From DTEND, or DURATION, or the default of RFC 5545 (a day for dates, zero length for times). Set exactly when `start` is. Exclusive. */
  readonly end?: ZonedTime;
  /** Dates instead of times, or X-MICROSOFT-CDO-ALLDAYEVENT with midnight to midnight. Walls are then midnights. */
  readonly isAllDay: boolean;
  /** Start without zone and without Z: `start.zone` is the zone of the mailbox. Also true for dates. */
  readonly isFloating: boolean;
  /** RRULE values as they stand, not validated. */
  readonly rules: readonly string[];
  readonly exDates: readonly CalendarDate[];
  /** RDATE values; of a period only its start. */
  readonly dates: readonly CalendarDate[];
  /** One line: line breaks in SUMMARY are blanks, since it becomes a subject. */
  readonly summary: string;
  /** DESCRIPTION: plain text. */
  readonly description: string;
  /** X-ALT-DESC;FMTTYPE=text/html, or an HTML DESCRIPTION parameter (ALTREP with a data URI). Not sanitised. */
  readonly htmlDescription: string;
  readonly location: string;
  /** X-MICROSOFT-LOCATIONS, else the pieces of a LOCATION with `;`; empty where there is one location or none. */
  readonly locations: readonly CalendarLocation[];
  readonly organizer?: CalendarAddress;
  readonly attendees: readonly CalendarAttendee[];
  /** TENTATIVE, CONFIRMED, CANCELLED; empty when missing. */
  readonly status: string;
  /** CLASS: PUBLIC, PRIVATE, CONFIDENTIAL, X-PERSONAL; empty when missing. */
  readonly classification: string;
  /** PRIORITY 0..9. */
  readonly priority?: number;
  /** TRANSP: OPAQUE, TRANSPARENT; empty when missing. */
  readonly transparency: string;
  /** X-MICROSOFT-CDO-BUSYSTATUS: FREE, TENTATIVE, BUSY, OOF, WORKINGELSEWHERE. */
  readonly busyStatus?: string;
  /** X-MICROSOFT-CDO-INTENDEDSTATUS: what BUSYSTATUS becomes with acceptance. */
  readonly intendedStatus?: string;
  /** X-MICROSOFT-CDO-IMPORTANCE: 0 low, 1 normal, 2 high. */
  readonly importance?: number;
  /** X-MICROSOFT-DISALLOW-COUNTER:TRUE. */
  readonly disallowCounter: boolean;
  /** COMMENT values, joined by line feeds: the text of an answer. */
  readonly comment: string;
  readonly categories: readonly string[];
  /** CONFERENCE, X-MICROSOFT-SKYPETEAMSMEETINGURL, X-MICROSOFT-ONLINEMEETING*, X-GOOGLE-CONFERENCE, else a URL of http or https. */
  readonly joinUrl?: string;
  /** REQUEST-STATUS values as they stand, for example `2.0;Success`. */
  readonly requestStatus: readonly string[];
  readonly attachments: readonly CalendarAttachment[];
  /** X-MS-OLK-ORIGINALSTART of a COUNTER: the time that is countered. */
  readonly originalStart?: ZonedTime;
  readonly originalEnd?: ZonedTime;
  /** X-MICROSOFT-CDO-OWNERAPPTID, echoed in a REPLY. */
  readonly ownerAppointmentId?: string;
  /** X-MICROSOFT-CDO-INSTTYPE: 0 single, 1 master, 2 instance, 3 exception. */
  readonly instanceType?: number;
  /** X-MS-OLK-SENDER: the delegate who sent the request, where SENT-BY is missing. */
  readonly sender?: string;
}

/** A date or a time. Of a date, `time` is its midnight in the zone of the mailbox. */
export interface CalendarDate {
  readonly time: ZonedTime;
  readonly isDate: boolean;
}

export interface RecurrenceId extends CalendarDate {
  /** RANGE=THISANDFUTURE. */
  readonly thisAndFuture: boolean;
}

export interface CalendarAddress {
  /** Without `mailto:`; as written, not lower case. Empty where the calendar gives none (`invalid:nomail`). */
  readonly address: string;
  /** CN; empty when missing. */
  readonly name: string;
  /** SENT-BY without `mailto:`: who acts for this address. */
  readonly sentBy?: string;
}

export interface CalendarAttendee extends CalendarAddress {
  /** ROLE: REQ-PARTICIPANT (default), OPT-PARTICIPANT, NON-PARTICIPANT, CHAIR. */
  readonly role: string;
  /** PARTSTAT: NEEDS-ACTION (default), ACCEPTED, DECLINED, TENTATIVE, DELEGATED. */
  readonly partStat: string;
  /** CUTYPE: INDIVIDUAL (default), GROUP, RESOURCE, ROOM, UNKNOWN. */
  readonly cuType: string;
  /** RSVP; undefined when missing, which RFC 5545 reads as false. */
  readonly rsvp?: boolean;
  readonly delegatedTo: readonly string[];
  readonly delegatedFrom: readonly string[];
  /** X-RESPONSE-COMMENT or X-COMMENT-like parameters of the answer; undefined when missing. */
  readonly comment?: string;
}

export interface CalendarLocation {
  readonly displayName: string;
  readonly address?: string;
  readonly uri?: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

/** ATTACH: a reference, or bytes inside the calendar. */
export type CalendarAttachment =
  | { readonly kind: 'uri'; readonly uri: string; readonly name: string; readonly contentType: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly name: string; readonly contentType: string };
