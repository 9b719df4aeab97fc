import type { CalendarEvent, EventException } from '../calendar/types.ts';
import type { GivenEvent } from '../calendar/write.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { contentFrom, intendedShowAs, isAnswerRequested } from './from-calendar.ts';
import type { AboutMeeting } from './request-message.ts';
import { withoutPrefix, withPrefix } from './subjects.ts';
import type { Version } from './types.ts';

export const NOT_RESPONDED = { response: 'notResponded' } as const;

/** The event of an invitation: it is created at once, and is tentative until the owner responds. */
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

/** An update keeps what is private to the mailbox: calendar, categories, reminder, and the response unless a new one is requested. */
export function updated(before: CalendarEvent, given: GivenEvent, isAskedAgain: boolean): Partial<CalendarEvent> {
  const { calendar: _, ...content } = given;
  const { categories, isReminderOn, reminderMinutes, hasAttachments, response, showAs } = before;
  const kept = { categories, isReminderOn, reminderMinutes, hasAttachments };
  return { ...content, ...kept, ...(!isAskedAgain && { response, showAs }), series: given.series };
}

/** The content of an event without its identity, to create another event from it. */
export function withoutIdentity(event: CalendarEvent): GivenEvent {
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

/** An event that arrived without its series, as an exception of the series. */
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
  } = withoutIdentity(event);
  return own;
}

/**
 * The exception of a cancelled occurrence. `subject` is the subject without the cancellation prefix. Without `version`, the occurrence is
 * cancelled with its series and keeps its own version.
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

/** Restores an occurrence that was cancelled with its series, when the series is reinstated. */
export function revivedException(exception: EventException): EventException {
  if (!exception.isCancelled) return exception;
  const { isCancelled: _, showAs: _showAs, response: _response, subject, ...kept } = exception;
  return { ...kept, ...(subject !== undefined && { subject: withoutPrefix(subject) }) };
}
