import type { CalendarEvent, EventException } from '../calendar/types.ts';
import type { GivenEvent } from '../calendar/write.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { contentFrom, intendedShowAs, isAnswerRequested } from './from-calendar.ts';
import type { AboutMeeting } from './request-message.ts';
import { withoutPrefix, withPrefix } from './subjects.ts';
import type { Version } from './types.ts';

export const NOT_RESPONDED = { response: 'notResponded' } as const;

/** The event that an invitation makes: it is there at once, tentative, until it is answered. */
export function eventFrom(writer: MailboxWriter, { main, day, mail, version, series }: AboutMeeting): GivenEvent {
  const { mailbox } = writer;
  const { organizer } = main;
  const from = mail.from ?? { name: '', address: '' };
  return {
    ...contentFrom(main, mail.body),
    responseRequested: isAnswerRequested(main, mailbox.address),
    calendar: mailbox.calendar,
    iCalUid: main.uid,
    isOrganizer: false,
    organizer: organizer ? { name: organizer.name || organizer.address, address: organizer.address } : from,
    response: NOT_RESPONDED,
    isCancelled: false,
    sequence: version.sequence,
    stamp: version.stamp,
    intendedShowAs: intendedShowAs(main),
    ...(main.ownerAppointmentId !== undefined && { ownerAppointmentId: main.ownerAppointmentId }),
    ...(series && { series }),
    ...(day !== undefined && { loneOccurrence: day }),
  };
}

/** What belongs to the mailbox alone stays in an update: calendar, categories, reminder, and the answer, unless it is asked for again. */
export function updated(before: CalendarEvent, given: GivenEvent, isAskedAgain: boolean): Partial<CalendarEvent> {
  const { calendar: _, ...content } = given;
  const { categories, isReminderOn, reminderMinutes, hasAttachments, response, showAs } = before;
  const kept = { categories, isReminderOn, reminderMinutes, hasAttachments };
  return { ...content, ...kept, ...(!isAskedAgain && { response, showAs }), series: given.series };
}

/** What an event says, for another one. */
export function givenBy(event: CalendarEvent): GivenEvent {
  const {
    uid: _uid,
    mailbox: _mailbox,
    generation: _generation,
    number: _number,
    createdNumber: _createdNumber,
    createdAt: _createdAt,
    modifiedAt: _modifiedAt,
    spanFrom: _spanFrom,
    spanTo: _spanTo,
    ...given
  } = event;
  return given;
}

/** An event that came without its series, as the exception that it is there. */
export function exceptionOfLone(event: CalendarEvent): EventException {
  const {
    calendar: _calendar,
    iCalUid: _iCalUid,
    isOrganizer: _isOrganizer,
    organizer: _organizer,
    intendedShowAs: _intendedShowAs,
    series: _series,
    loneOccurrence: _loneOccurrence,
    transactionId: _transactionId,
    transactionApplication: _transactionApplication,
    reminders: _reminders,
    ownerAppointmentId: _ownerAppointmentId,
    hasAttachments: _hasAttachments,
    ...own
  } = givenBy(event);
  return own;
}

/**
 * How an occurrence says that it was cancelled. `subject` is what it is called without that. One that is cancelled with its series keeps the version
 * that it has.
 */
export const cancelledException = (
  before: EventException | undefined,
  subject: string,
  version?: Version,
): EventException => ({
  ...before,
  isCancelled: true,
  subject: withPrefix(before?.subject ?? subject),
  showAs: 'free',
  ...(version && { sequence: version.sequence, stamp: version.stamp }),
});

/** An occurrence that was cancelled with its series, now that the series takes place again. */
export function revivedException(exception: EventException): EventException {
  if (!exception.isCancelled) return exception;
  const { isCancelled: _, showAs: _showAs, response: _response, subject, ...kept } = exception;
  return { ...kept, ...(subject !== undefined && { subject: withoutPrefix(subject) }) };
}
