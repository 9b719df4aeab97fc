import type { ZonedTime } from '../zones/wall.ts';

/**
 * One iCalendar object as the mail service uses it: the events of one UID under one METHOD (RFC 5546). It has the form of RFC 5545, not of
 * the Graph API, so that reading and writing lose nothing. Enumeration values are upper case.
 */
export interface CalendarObject {
  /** METHOD in upper case, for example `REQUEST`; empty if missing. */
  readonly method: string;
  /** PRODID; empty if missing. */
  readonly productId: string;
  /** Never empty. The master or single event, if present, comes first, then overrides by RECURRENCE-ID. All have the same UID. */
  readonly components: readonly CalendarComponent[];
}

/** One VEVENT. */
export interface CalendarComponent {
  readonly uid: string;
  /** SEQUENCE, otherwise X-MICROSOFT-CDO-APPT-SEQUENCE, otherwise 0. */
  readonly sequence: number;
  /** DTSTAMP as an instant (milliseconds since 1970). */
  readonly stamp?: number;
  /**
   * X-MICROSOFT-CDO-OWNER-CRITICAL-CHANGE as an instant, or the ATTENDEE one in a REPLY or COUNTER. Has a finer resolution than `stamp` for
   * deciding which version is out of date.
   */
  readonly criticalChange?: number;
  readonly created?: number;
  readonly lastModified?: number;
  /** The original start of the occurrence that this component overrides, answers or cancels. */
  readonly recurrenceId?: RecurrenceId;
  /** Missing only if the METHOD allows it (REPLY, CANCEL). */
  readonly start?: ZonedTime;
  /**
   * From DTEND, DURATION, or the default of RFC 5545 (a day for dates, zero duration for times). Present exactly if `start` is. Exclusive.
   */
  readonly end?: ZonedTime;
  /** True for dates instead of times, and for X-MICROSOFT-CDO-ALLDAYEVENT from midnight to midnight. Walls are then midnights. */
  readonly isAllDay: boolean;
  /** True if the start has no zone and no Z: `start.zone` is then the zone of the mailbox. Also true for dates. */
  readonly isFloating: boolean;
  /** RRULE values as received, not validated. */
  readonly rules: readonly string[];
  readonly exDates: readonly CalendarDate[];
  /** RDATE values; a period is represented by its start. */
  readonly dates: readonly CalendarDate[];
  /** One line: line breaks in SUMMARY become blanks, since it becomes a mail subject. */
  readonly summary: string;
  /** DESCRIPTION: plain text. */
  readonly description: string;
  /** X-ALT-DESC;FMTTYPE=text/html, or the HTML in a DESCRIPTION parameter (ALTREP with a data URI). Not sanitised. */
  readonly htmlDescription: string;
  readonly location: string;
  /** X-MICROSOFT-LOCATIONS, otherwise the pieces of a LOCATION with `;`. Empty for one location or none. */
  readonly locations: readonly CalendarLocation[];
  readonly organizer?: CalendarAddress;
  readonly attendees: readonly CalendarAttendee[];
  /** TENTATIVE, CONFIRMED, CANCELLED; empty if missing. */
  readonly status: string;
  /** CLASS: PUBLIC, PRIVATE, CONFIDENTIAL, X-PERSONAL; empty if missing. */
  readonly classification: string;
  /** PRIORITY 0..9. */
  readonly priority?: number;
  /** TRANSP: OPAQUE, TRANSPARENT; empty if missing. */
  readonly transparency: string;
  /** X-MICROSOFT-CDO-BUSYSTATUS: FREE, TENTATIVE, BUSY, OOF, WORKINGELSEWHERE. */
  readonly busyStatus?: string;
  /** X-MICROSOFT-CDO-INTENDEDSTATUS: the BUSYSTATUS after acceptance. */
  readonly intendedStatus?: string;
  /** X-MICROSOFT-CDO-IMPORTANCE: 0 low, 1 normal, 2 high. */
  readonly importance?: number;
  /** X-MICROSOFT-DISALLOW-COUNTER:TRUE. */
  readonly disallowCounter: boolean;
  /** COMMENT values joined by line feeds: the text of an answer. */
  readonly comment: string;
  readonly categories: readonly string[];
  /** CONFERENCE, X-MICROSOFT-SKYPETEAMSMEETINGURL, X-MICROSOFT-ONLINEMEETING*, X-GOOGLE-CONFERENCE, otherwise an http or https URL. */
  readonly joinUrl?: string;
  /** REQUEST-STATUS values as received, for example `2.0;Success`. */
  readonly requestStatus: readonly string[];
  readonly attachments: readonly CalendarAttachment[];
  /** X-MS-OLK-ORIGINALSTART of a COUNTER: the time that the attendee wants to change. */
  readonly originalStart?: ZonedTime;
  readonly originalEnd?: ZonedTime;
  /** X-MICROSOFT-CDO-OWNERAPPTID, echoed in a REPLY. */
  readonly ownerAppointmentId?: string;
  /** X-MICROSOFT-CDO-INSTTYPE: 0 single, 1 master, 2 instance, 3 exception. */
  readonly instanceType?: number;
  /** X-MS-OLK-SENDER: the delegate who sent the request, if SENT-BY is missing. */
  readonly sender?: string;
}

/** A date or a time. For a date, `time` is its midnight in the zone of the mailbox. */
export interface CalendarDate {
  readonly time: ZonedTime;
  readonly isDate: boolean;
}

export interface RecurrenceId extends CalendarDate {
  /** True if RANGE=THISANDFUTURE. */
  readonly thisAndFuture: boolean;
}

export interface CalendarAddress {
  /** Without `mailto:`; case as written. Empty if the calendar gives no address (`invalid:nomail`). */
  readonly address: string;
  /** CN; empty if missing. */
  readonly name: string;
  /** SENT-BY without `mailto:`: the address that acts for this address. */
  readonly sentBy?: string;
}

export interface CalendarAttendee extends CalendarAddress {
  /** ROLE: REQ-PARTICIPANT (default), OPT-PARTICIPANT, NON-PARTICIPANT, CHAIR. */
  readonly role: string;
  /** PARTSTAT: NEEDS-ACTION (default), ACCEPTED, DECLINED, TENTATIVE, DELEGATED. */
  readonly partStat: string;
  /** RSVP; undefined if missing, which RFC 5545 defines as false. */
  readonly cuType: string;
  /** RSVP; undefined when missing, which RFC 5545 reads as false. */
  readonly rsvp?: boolean;
  readonly delegatedTo: readonly string[];
  readonly delegatedFrom: readonly string[];
  /** X-RESPONSE-COMMENT, X-COMMENT or a similar parameter of the answer; undefined if missing. */
  readonly comment?: string;
}

export interface CalendarLocation {
  readonly displayName: string;
  readonly address?: string;
  readonly uri?: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

/** ATTACH: a URI, or bytes inside the calendar. */
export type CalendarAttachment =
  | { readonly kind: 'uri'; readonly uri: string; readonly name: string; readonly contentType: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly name: string; readonly contentType: string };
