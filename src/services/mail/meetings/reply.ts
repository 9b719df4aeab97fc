import { contentAt } from '../calendar/content.ts';
import type { Attendee, CalendarEvent, EventContent } from '../calendar/types.ts';
import { updateEvent } from '../calendar/write.ts';
import type { CalendarAttendee, CalendarComponent } from '../ical/types.ts';
import { MOST_RECIPIENTS } from '../limits.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { placeNamed } from '../messages/location.ts';
import type { MeetingMessage, MeetingMessageType } from '../messages/types.ts';
import type { ZonedTime } from '../zones/wall.ts';
import { eventFor, eventsOfMeeting } from './events.ts';
import { dayOfTime, typeOf } from './from-calendar.ts';
import { type MeetingMail, sameAddress, versionOf } from './meeting-mail.ts';
import type { Version } from './types.ts';

type Answered = 'accepted' | 'tentativelyAccepted' | 'declined';

const ANSWERS: Readonly<Record<string, Answered>> = {
  ACCEPTED: 'accepted',
  TENTATIVE: 'tentativelyAccepted',
  DECLINED: 'declined',
};
const MESSAGE_TYPES: Readonly<Record<Answered, MeetingMessageType>> = {
  accepted: 'meetingAccepted',
  tentativelyAccepted: 'meetingTentativelyAccepted',
  declined: 'meetingDeclined',
};

/** Processes METHOD:REPLY and COUNTER: the organizer's event stores the attendee's answer, unless the answer is out of date. */
export async function receiveReply(writer: MailboxWriter, mail: MeetingMail): Promise<MeetingMessage | undefined> {
  const { components, method } = mail.object;
  const [main] = components;
  if (!main) return undefined;
  const own = (await eventsOfMeeting(writer.tx, writer.mailbox.id, main.uid)).filter(({ isOrganizer }) => isOrganizer);
  let event = eventFor(own, undefined);
  let isOutOfDate = false;
  for (const component of components) {
    const attendee = answeringAttendee(component, mail);
    if (!event || !attendee) continue;
    const day = dayIn(component, event);
    const applied = applyAnswer(
      event,
      day,
      component,
      attendee,
      versionOf(component, mail.receivedAt),
      method === 'COUNTER',
    );
    if (applied === 'outdated') isOutOfDate = true;
    else event = await updateEvent(writer, event, applied);
  }
  return answerMessage(main, mail, event, isOutOfDate);
}

const dayIn = ({ recurrenceId }: CalendarComponent, event: CalendarEvent | undefined): string | undefined =>
  recurrenceId && dayOfTime(recurrenceId, event?.series ? event.start : recurrenceId.time);

/**
 * RFC 5546 requires exactly one row. If there are several, the sender's row is used, otherwise the first that does not delegate. A row
 * without an address counts as the sender's.
 */
function answeringAttendee({ attendees }: CalendarComponent, { from }: MeetingMail): CalendarAttendee | undefined {
  const sender = from && attendees.find(({ address }) => sameAddress(address, from.address));
  const row = sender ?? attendees.find(({ partStat }) => partStat !== 'DELEGATED') ?? attendees[0];
  return row?.address === '' && from ? { ...row, address: from.address } : row;
}

/** A COUNTER that does not decline counts as tentative, whatever its PARTSTAT. */
function answerOf({ partStat }: CalendarAttendee, isCounter: boolean): Answered | undefined {
  if (isCounter) return partStat === 'DECLINED' ? 'declined' : 'tentativelyAccepted';
  return ANSWERS[partStat];
}

/** An answer is out of date if it is about an earlier SEQUENCE, or older than the stored answer. */
function applyAnswer(
  event: CalendarEvent,
  day: string | undefined,
  component: CalendarComponent,
  answering: CalendarAttendee,
  version: Version,
  isCounter: boolean,
): Partial<CalendarEvent> | 'outdated' {
  const content: EventContent = contentAt(event, day) ?? event;
  const sequence = (day !== undefined && event.series?.exceptions[day]?.sequence) || event.sequence;
  const known = content.attendees.find(({ address }) => sameAddress(address, answering.address));
  if (version.sequence < sequence) return 'outdated';
  const last = known?.answered;
  if (last && (version.sequence < last.sequence || (version.sequence === last.sequence && version.stamp < last.stamp)))
    return 'outdated';
  // Bounds the list against answers from people who were not invited.
  if (!known && content.attendees.length >= MOST_RECIPIENTS) return {};
  const row = answeredRow(known, component, answering, version, isCounter);
  const attendees = withDelegates(replaced(content.attendees, row), answering);
  if (day === undefined || !event.series) return { attendees };
  const { exceptions } = event.series;
  return { series: { ...event.series, exceptions: { ...exceptions, [day]: { ...exceptions[day], attendees } } } };
}

function answeredRow(
  known: Attendee | undefined,
  component: CalendarComponent,
  answering: CalendarAttendee,
  version: Version,
  isCounter: boolean,
): Attendee {
  const response = answerOf(answering, isCounter);
  const proposal = isCounter ? proposalOf(component) : undefined;
  const { proposedNewTime: _, ...kept } = known ?? {
    name: answering.name || answering.address,
    address: answering.address,
    // An answer to a forwarded invitation, from someone who was not invited directly.
    type: typeOf(answering),
  };
  return {
    ...kept,
    status: response ? { response, at: version.stamp } : { response: 'none' },
    answered: version,
    ...(proposal && { proposedNewTime: proposal }),
  };
}

const proposalOf = ({
  start,
  end,
}: CalendarComponent): { readonly start: ZonedTime; readonly end: ZonedTime } | undefined =>
  start && end ? { start, end } : undefined;

const replaced = (attendees: readonly Attendee[], row: Attendee): readonly Attendee[] =>
  attendees.some(({ address }) => sameAddress(address, row.address))
    ? attendees.map((each) => (sameAddress(each.address, row.address) ? row : each))
    : [...attendees, row];

/** PARTSTAT=DELEGATED names the delegates, who get rows of their own. */
function withDelegates(
  attendees: readonly Attendee[],
  { partStat, delegatedTo }: CalendarAttendee,
): readonly Attendee[] {
  if (partStat !== 'DELEGATED') return attendees;
  const added = delegatedTo
    .filter((address) => address !== '' && !attendees.some((each) => sameAddress(each.address, address)))
    .map((address): Attendee => ({ name: address, address, type: 'required', status: { response: 'none' } }));
  return [...attendees, ...added];
}

function answerMessage(
  component: CalendarComponent,
  mail: MeetingMail,
  event: CalendarEvent | undefined,
  isOutOfDate: boolean,
): MeetingMessage {
  const isCounter = mail.object.method === 'COUNTER';
  const attendee = answeringAttendee(component, mail);
  const response = attendee && answerOf(attendee, isCounter);
  const day = dayIn(component, event);
  const content = event && (contentAt(event, day) ?? event);
  // The start and end of a COUNTER are the proposed time; the message shows the original time.
  const start = (isCounter ? component.originalStart : component.start) ?? content?.start;
  const end = (isCounter ? component.originalEnd : component.end) ?? content?.end;
  const proposal = isCounter ? proposalOf(component) : undefined;
  return {
    kind: response ? 'eventMessageResponse' : 'eventMessage',
    messageType: response ? MESSAGE_TYPES[response] : 'none',
    ...(start && { start }),
    ...(end && { end }),
    isAllDay: component.start ? component.isAllDay : (content?.isAllDay ?? false),
    isDelegated: attendee?.sentBy !== undefined,
    isOutOfDate,
    location: content?.location ?? placeNamed(component.location),
    type: day !== undefined ? 'exception' : event?.series ? 'seriesMaster' : 'singleInstance',
    uid: component.uid,
    ...(day !== undefined && { occurrence: day }),
    ...versionOf(component, mail.receivedAt),
    ...(event && { event: event.uid }),
    ...(response && { response: { type: response, ...(proposal && { proposedNewTime: proposal }) } }),
  };
}
