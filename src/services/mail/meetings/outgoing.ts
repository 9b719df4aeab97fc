import { contentAt } from '../calendar/content.ts';
import type { CalendarEvent, EventContent, Response } from '../calendar/types.ts';
import type { CalendarComponent } from '../ical/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Address, MeetingMessage } from '../messages/types.ts';
import type { ZonedTime } from '../zones/wall.ts';
import { checkCopies, mailMeeting } from './mail.ts';
import { meetingAttachments } from './outgoing-attachments.ts';
import { withPrefix } from './subjects.ts';
import { newAttendee, occurrenceComponent, partStatOf, recurrenceIdOf, wholeComponents } from './to-calendar.ts';

/** Mail about a meeting, caused by a change of the event. It commits with the change. */

export interface MeetingRequest {
  readonly to: readonly Address[];
  /** The original day of the occurrence; absent for the whole event. */
  readonly day?: string;
  /** Prefix of the subject, such as `FW: ` for a forwarded invitation. */
  readonly prefix?: string;
  readonly comment?: string;
}

/** Sends an invitation or an update (METHOD:REQUEST) with the current event. */
export async function sendRequest(
  writer: MailboxWriter,
  event: CalendarEvent,
  { to, day, prefix = '', comment = '' }: MeetingRequest,
): Promise<void> {
  const content = contentAt(event, day) ?? event;
  const { files, references } = await meetingAttachments(writer, event, to, day);
  const found =
    day === undefined ? wholeComponents(event) : [occurrenceComponent(event, day)].filter((each) => each !== undefined);
  const components = found.map((component) => ({ ...component, attachments: references }));
  const common = {
    method: 'REQUEST',
    files,
    subject: `${prefix}${content.subject}`,
    comment,
    body: content.body,
    message: requestMessage(event, content, day),
  };
  if (!content.hideAttendees) {
    const all = components.map((component) => withRows(component, to, content.responseRequested));
    await mailMeeting(writer, event, { ...common, components: all, to });
    return;
  }
  // Each attendee gets a separate mail that names no other attendee.
  checkCopies(files, to.length);
  for (const one of to) {
    const alone = components.map((component) => onlyRow(component, one, content.responseRequested));
    await mailMeeting(writer, event, { ...common, components: alone, to: [one] });
  }
}

/** The recipient of a forwarded invitation is not yet in the attendee list. */
function withRows(component: CalendarComponent, to: readonly Address[], rsvp: boolean): CalendarComponent {
  const known = new Set(component.attendees.map(({ address }) => address.toLowerCase()));
  const added = to.filter(({ address }) => !known.has(address.toLowerCase())).map((who) => newAttendee(who, rsvp));
  return added.length === 0 ? component : { ...component, attendees: [...component.attendees, ...added] };
}

const onlyRow = (component: CalendarComponent, who: Address, rsvp: boolean): CalendarComponent => ({
  ...component,
  attendees: [
    component.attendees.find(({ address }) => address.toLowerCase() === who.address.toLowerCase()) ??
      newAttendee(who, rsvp),
  ],
});

function requestMessage(event: CalendarEvent, content: EventContent, day: string | undefined): MeetingMessage {
  return {
    kind: 'eventMessageRequest',
    messageType: 'meetingRequest',
    ...meetingFields(event, content, day),
    request: {
      type: 'newMeetingRequest',
      allowNewTimeProposals: content.allowNewTimeProposals,
      responseRequested: content.responseRequested,
    },
  };
}

const meetingFields = (
  event: CalendarEvent,
  { start, end, isAllDay, location }: EventContent,
  day: string | undefined,
) => ({
  start,
  end,
  isAllDay,
  isDelegated: false,
  isOutOfDate: false,
  location,
  ...(day === undefined && event.series?.recurrence && { recurrence: event.series.recurrence }),
  type:
    day !== undefined ? ('exception' as const) : event.series ? ('seriesMaster' as const) : ('singleInstance' as const),
  uid: event.iCalUid,
  ...(day !== undefined && { occurrence: day }),
  sequence: event.sequence,
  stamp: event.stamp,
  event: event.uid,
});

export interface Cancellation extends MeetingRequest {
  /** The content of the cancelled event. */
  readonly content?: EventContent;
  /** True if the recipients are removed but the meeting takes place. */
  readonly isWithoutThem?: boolean;
}

/** Sends a cancellation (METHOD:CANCEL) of the whole event, or of one occurrence. */
export async function sendCancellation(
  writer: MailboxWriter,
  event: CalendarEvent,
  cancellation: Cancellation,
): Promise<void> {
  const { to, day, comment = '', isWithoutThem = false } = cancellation;
  const content = cancellation.content ?? contentAt(event, day) ?? event;
  const found = day === undefined ? wholeComponents(event).slice(0, 1) : [cancelledOccurrence(event, day, content)];
  // With hidden attendees, each gets a separate mail, as with the invitation.
  for (const some of content.hideAttendees ? to.map((one) => [one]) : [to]) {
    const rows = new Set(some.map(({ address }) => address.toLowerCase()));
    const components = found.map((component) => ({
      ...component,
      summary: content.subject,
      // RFC 5546, section 3.2.5: no STATUS if the meeting still takes place for other attendees.
      status: isWithoutThem ? '' : 'CANCELLED',
      attendees: withRows(component, some, false).attendees.filter(({ address }) => rows.has(address.toLowerCase())),
      transparency: 'TRANSPARENT',
      busyStatus: 'FREE',
      comment,
    }));
    await mailMeeting(writer, event, {
      method: 'CANCEL',
      subject: withPrefix(content.subject),
      comment,
      body: content.body,
      message: { kind: 'eventMessage', messageType: 'meetingCancelled', ...meetingFields(event, content, day) },
      components,
      to: some,
    });
  }
}

/** Built from `content`, since the series may no longer have the occurrence. */
function cancelledOccurrence(event: CalendarEvent, day: string, content: EventContent): CalendarComponent {
  const [whole] = wholeComponents({ ...event, ...content, series: undefined });
  const recurrenceId = recurrenceIdOf(event, day);
  return {
    ...(occurrenceComponent(event, day) ?? (whole as CalendarComponent)),
    ...(recurrenceId && { recurrenceId }),
  };
}

export interface MeetingAnswer {
  readonly response: Extract<Response, 'accepted' | 'tentativelyAccepted' | 'declined'>;
  readonly comment?: string;
  readonly day?: string;
  readonly proposedNewTime?: { readonly start: ZonedTime; readonly end: ZonedTime };
  /** True if a program made the decision, not a person. */
  readonly isAutomatic?: boolean;
}

const SUBJECTS = { accepted: 'Accepted: ', tentativelyAccepted: 'Tentative: ', declined: 'Declined: ' } as const;
const PROPOSED = 'New Time Proposed: ';
const MESSAGE_TYPES = {
  accepted: 'meetingAccepted',
  tentativelyAccepted: 'meetingTentativelyAccepted',
  declined: 'meetingDeclined',
} as const;

/** Sends an attendee's answer to the organizer (METHOD:REPLY, or COUNTER with a proposed time). */
export async function sendAnswer(
  writer: MailboxWriter,
  event: CalendarEvent,
  { response, comment = '', day, proposedNewTime, isAutomatic = false }: MeetingAnswer,
): Promise<void> {
  const { mailbox, now } = writer;
  const content = contentAt(event, day) ?? event;
  const occurrence = day ?? event.loneOccurrence;
  const [whole] = wholeComponents({ ...event, series: undefined });
  const found = (day !== undefined && occurrenceComponent(event, day)) || (whole as CalendarComponent);
  const own = { name: mailbox.displayName, address: mailbox.address };
  const recurrenceId = occurrence === undefined ? undefined : recurrenceIdOf(event, occurrence);
  const component: CalendarComponent = {
    ...found,
    // SEQUENCE is that of the answered request; DTSTAMP is the time of the answer.
    stamp: now,
    ...(recurrenceId && { recurrenceId }),
    attendees: [{ ...newAttendee(own, false), partStat: partStatOf(response) }],
    summary: content.subject,
    description: comment,
    htmlDescription: '',
    comment,
    ...(proposedNewTime && { ...proposedNewTime, originalStart: content.start, originalEnd: content.end }),
  };
  await mailMeeting(writer, event, {
    method: proposedNewTime ? 'COUNTER' : 'REPLY',
    subject: `${proposedNewTime ? PROPOSED : SUBJECTS[response]}${content.subject}`,
    comment,
    body: { contentType: 'text', content: '' },
    message: {
      kind: 'eventMessageResponse',
      messageType: MESSAGE_TYPES[response],
      ...meetingFields(event, content, day),
      response: { type: response, ...(proposedNewTime && { proposedNewTime }) },
    },
    components: [component],
    to: [event.organizer],
    isAutomatic,
  });
}
