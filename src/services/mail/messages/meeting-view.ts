import type { Viewer } from '../api/request.ts';
import { shownTime } from '../api/values.ts';
import type { ZonedTime } from '../zones/wall.ts';
import { NO_LOCATION, shownLocation } from './location.ts';
import type { MeetingMessage } from './types.ts';

/** Properties that eventMessage and its derived types add to those of a message. */
export function meetingView({ prefer }: Viewer, meeting: MeetingMessage): Record<string, unknown> {
  const { isAllDay, request, response } = meeting;
  const time = (value: ZonedTime | undefined) => (value ? shownTime(value, prefer, isAllDay) : null);
  return {
    meetingMessageType: meeting.messageType,
    type: meeting.type,
    isOutOfDate: meeting.isOutOfDate,
    isAllDay,
    isDelegated: meeting.isDelegated,
    startDateTime: time(meeting.start),
    endDateTime: time(meeting.end),
    location: shownLocation(meeting.location ?? NO_LOCATION),
    recurrence: meeting.recurrence ?? null,
    ...(request && {
      meetingRequestType: request.type,
      allowNewTimeProposals: request.allowNewTimeProposals,
      responseRequested: request.responseRequested,
      previousStartDateTime: time(request.previousStart),
      previousEndDateTime: time(request.previousEnd),
      previousLocation: request.previousLocation ? shownLocation(request.previousLocation) : null,
    }),
    ...(response && {
      responseType: response.type,
      proposedNewTime: response.proposedNewTime
        ? { start: time(response.proposedNewTime.start), end: time(response.proposedNewTime.end) }
        : null,
    }),
  };
}
