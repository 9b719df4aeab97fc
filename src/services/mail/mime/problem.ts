/**
 * The reason why bytes cannot be read as a mail or a calendar. Returned, not thrown: malformed mail is routine, and the caller decides how
 * to handle it.
 */
export interface Problem {
  readonly code: ProblemCode;
  /** A sentence for logs and SMTP replies: printable ASCII, at most a few hundred characters. */
  readonly reason: string;
}

export type ProblemCode =
  | 'empty' // no bytes, or nothing but white space
  | 'tooLarge' // more bytes than the bound
  | 'tooManyParts' // more MIME parts than the bound
  | 'tooDeep' // multiparts nested deeper than the bound
  | 'headersTooLarge' // header sections with more bytes or lines than the bound
  | 'tooManyAddresses' // more addresses in the header than the bound
  | 'tooManyLines' // a calendar with more content lines than the bound
  | 'tooManyComponents' // a calendar with more components than the bound
  | 'tooManyAttendees' // a calendar with more attendees than the bound
  | 'tooManyDates' // a calendar with more EXDATE and RDATE values than the bound
  | 'notACalendar' // no VCALENDAR in the text
  | 'noEvent' // a calendar without VEVENT: a task, a journal or free/busy time
  | 'noUid' // an event without UID
  | 'severalUids' // events of several UIDs in one object
  | 'severalMethods' // several calendars with different METHODs
  | 'wrongMethod' // the method parameter of the MIME part and METHOD disagree
  | 'noMethod' // neither a method parameter nor METHOD
  | 'missingProperty' // a property that the METHOD requires is missing
  | 'invalidProperty'; // a property that everything else depends on cannot be understood

/** Distinguishes a Problem from other results, which are plain objects. */
class ProblemValue implements Problem {
  readonly code: ProblemCode;
  readonly reason: string;
  constructor(code: ProblemCode, reason: string) {
    this.code = code;
    this.reason = reason;
  }
}

export function problem(code: ProblemCode, reason: string): Problem {
  return new ProblemValue(code, reason);
}

export function isProblem(value: unknown): value is Problem {
  return value instanceof ProblemValue;
}
