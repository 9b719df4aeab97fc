import { contentAt } from '../calendar/content.ts';
import type { Attendee, CalendarEvent, EventContent, EventSeries } from '../calendar/types.ts';
import type { Location, MeetingRequestType } from '../messages/types.ts';
import type { ZonedTime } from '../zones/wall.ts';
import { toInstant } from '../zones/zone.ts';
import { contentFrom, type TimedComponent } from './from-calendar.ts';

/** What an update changes of an event that is there. Values of before are given only where they differ. */
export interface MeetingChanges {
  /** Start, end or recurrence. */
  readonly isTimeChanged: boolean;
  /** Anything else that people see. */
  readonly isContentChanged: boolean;
  readonly isAttendeeAdded: boolean;
  readonly isAttendeesChanged: boolean;
  readonly previousStart?: ZonedTime;
  readonly previousEnd?: ZonedTime;
  readonly previousLocation?: Location;
}

export function changesOf(
  before: CalendarEvent | undefined,
  day: string | undefined,
  component: TimedComponent,
  series: EventSeries | undefined,
): MeetingChanges {
  if (!before)
    return { isTimeChanged: true, isContentChanged: true, isAttendeeAdded: false, isAttendeesChanged: false };
  const old: EventContent = contentAt(before, day) ?? before;
  const given = contentFrom(component, { contentType: 'text', content: '' });
  const isStartChanged = !sameTime(old.start, given.start) || old.isAllDay !== given.isAllDay;
  const isEndChanged = !sameTime(old.end, given.end);
  const isPlaceChanged = old.location.displayName !== given.location.displayName;
  const isSeriesChanged = day === undefined && seriesText(before.series) !== seriesText(series);
  const [was, is] = [old.attendees.map(addressOf), given.attendees.map(addressOf)];
  const isAttendeeAdded = is.some((address) => !was.includes(address));
  return {
    isTimeChanged: isStartChanged || isEndChanged || isSeriesChanged,
    isContentChanged:
      isPlaceChanged ||
      old.subject.replace(/^Canceled: /, '') !== given.subject ||
      old.importance !== given.importance ||
      old.sensitivity !== given.sensitivity ||
      (component.htmlDescription !== '' || component.description !== ''
        ? old.bodyPreview !== given.bodyPreview
        : false),
    isAttendeeAdded,
    isAttendeesChanged: isAttendeeAdded || was.some((address) => !is.includes(address)),
    ...(isStartChanged && { previousStart: old.start }),
    ...(isEndChanged && { previousEnd: old.end }),
    ...(isPlaceChanged && { previousLocation: old.location }),
  };
}

const sameTime = (a: ZonedTime, b: ZonedTime): boolean => toInstant(a.zone, a.wall) === toInstant(b.zone, b.wall);
const addressOf = ({ address }: Attendee): string => address.toLowerCase();
const seriesText = (series: EventSeries | undefined): string =>
  series ? JSON.stringify([series.rules, series.dates, [...series.cancelled].sort()]) : '';

/** Content decides (protocol documents of the vendor): time, new attendees and revival ask again, other content informs, attendees alone are silent. */
export function requestTypeOf({
  isFirst,
  isRevived,
  changes,
}: {
  readonly isFirst: boolean;
  readonly isRevived: boolean;
  readonly changes: MeetingChanges;
}): MeetingRequestType {
  if (isFirst) return 'newMeetingRequest';
  if (isRevived || changes.isTimeChanged || changes.isAttendeeAdded) return 'fullUpdate';
  if (changes.isContentChanged) return 'informationalUpdate';
  return changes.isAttendeesChanged ? 'silentUpdate' : 'informationalUpdate';
}
