import type { CalendarEvent, EventSeries } from '../calendar/types.ts';
import type { CalendarComponent } from '../ical/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { EventType, MeetingMessage, MeetingRequestType } from '../messages/types.ts';
import type { MeetingChanges } from './changes.ts';
import { contentFrom, isAnswerRequested, type TimedComponent } from './from-calendar.ts';
import { type MeetingMail, sameAddress } from './meeting-mail.ts';
import type { Version } from './types.ts';

/** One component of a request, with the data computed for the mailbox. */
export interface AboutMeeting {
  readonly main: TimedComponent;
  /** The day of the occurrence that the component is about. */
  readonly day?: string;
  /** True if the occurrence does not differ from its series. */
  readonly isRegular?: boolean;
  readonly series?: EventSeries;
  readonly version: Version;
  readonly mail: MeetingMail;
}

/** Meeting fields of a request's message: as in this mail, never as in the current event. */
export function requestMessage(
  writer: MailboxWriter,
  about: AboutMeeting,
  event: CalendarEvent | undefined,
  type: MeetingRequestType,
  { previousStart, previousEnd, previousLocation }: MeetingChanges,
): MeetingMessage {
  const { main } = about;
  return {
    ...commonFields(about, event),
    kind: 'eventMessageRequest',
    messageType: 'meetingRequest',
    isDelegated: isDelegated(main, writer.mailbox.address),
    isOutOfDate: type === 'outdated',
    request: {
      type,
      allowNewTimeProposals: !main.disallowCounter,
      responseRequested: isAnswerRequested(main, writer.mailbox.address),
      ...(previousStart && { previousStart }),
      ...(previousEnd && { previousEnd }),
      ...(previousLocation && { previousLocation }),
    },
  };
}

/** Meeting fields of a request that does not change the calendar. */
export const plainRequestMessage = (about: AboutMeeting, event: CalendarEvent | undefined): MeetingMessage => ({
  ...commonFields(about, event),
  kind: 'eventMessage',
  messageType: 'none',
  isDelegated: false,
  isOutOfDate: false,
});

const commonFields = (
  { main, day, isRegular, series, version, mail }: AboutMeeting,
  event: CalendarEvent | undefined,
) => ({
  start: main.start,
  end: main.end,
  isAllDay: main.isAllDay,
  location: contentFrom(main, mail.body).location,
  ...(series?.recurrence && { recurrence: series.recurrence }),
  type: typeOf(series, day, isRegular),
  uid: main.uid,
  ...(day !== undefined && { occurrence: day }),
  ...version,
  ...(event && { event: event.uid }),
});

function typeOf(series: EventSeries | undefined, day: string | undefined, isRegular = false): EventType {
  if (day !== undefined) return isRegular ? 'occurrence' : 'exception';
  return series ? 'seriesMaster' : 'singleInstance';
}

/** True if an invitee delegated the invitation to the owner of this mailbox. */
const isDelegated = ({ attendees }: CalendarComponent, address: string): boolean =>
  attendees.some((each) => sameAddress(each.address, address) && each.delegatedFrom.length > 0);
