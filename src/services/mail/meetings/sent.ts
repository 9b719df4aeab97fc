import type { CalendarObject } from '../ical/types.ts';
import type { MeetingMessage, MeetingMessageType } from '../messages/types.ts';
import { contentFrom, dayOfTime, isTimed, seriesFrom } from './from-calendar.ts';

const ANSWERS = {
  ACCEPTED: ['accepted', 'meetingAccepted'],
  TENTATIVE: ['tentativelyAccepted', 'meetingTentativelyAccepted'],
  DECLINED: ['declined', 'meetingDeclined'],
} as const;

/** Meeting fields of the copy in the sent items, for a calendar that the client wrote itself. Does not change any calendar. */
export function sentMeeting({ method, components }: CalendarObject, now: number): MeetingMessage | undefined {
  const [main] = components;
  if (!main) return undefined;
  const empty = { contentType: 'text', content: '' } as const;
  const series = isTimed(main) && !main.recurrenceId ? seriesFrom(main, [], empty) : undefined;
  const common = {
    ...(main.start && { start: main.start }),
    ...(main.end && { end: main.end }),
    isAllDay: main.isAllDay,
    isDelegated: false,
    isOutOfDate: false,
    ...(isTimed(main) && { location: contentFrom(main, empty).location }),
    ...(series?.recurrence && { recurrence: series.recurrence }),
    type: main.recurrenceId ? ('exception' as const) : series ? ('seriesMaster' as const) : ('singleInstance' as const),
    uid: main.uid,
    ...(main.recurrenceId && { occurrence: dayOfTime(main.recurrenceId, main.recurrenceId.time) }),
    sequence: main.sequence,
    stamp: main.stamp ?? now,
  };
  if (method === 'REQUEST') {
    const request = {
      type: 'newMeetingRequest',
      allowNewTimeProposals: !main.disallowCounter,
      responseRequested: main.attendees.some(({ rsvp }) => rsvp),
    } as const;
    return { kind: 'eventMessageRequest', messageType: 'meetingRequest', ...common, request };
  }
  const answer = ANSWERS[main.attendees[0]?.partStat as keyof typeof ANSWERS];
  if ((method === 'REPLY' || method === 'COUNTER') && answer)
    return { kind: 'eventMessageResponse', messageType: answer[1], ...common, response: { type: answer[0] } };
  const messageType: MeetingMessageType = method === 'CANCEL' ? 'meetingCancelled' : 'none';
  return { kind: 'eventMessage', messageType, ...common };
}
