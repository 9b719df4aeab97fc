import { contentAt } from '../calendar/content.ts';
import type { Attendee, CalendarEvent, EventContent, EventSeries } from '../calendar/types.ts';
import type { ItemBody, Location, MeetingRequestType } from '../messages/types.ts';
import type { ZonedTime } from '../zones/wall.ts';
import { toInstant } from '../zones/zone.ts';
import { contentFrom, type TimedComponent } from './from-calendar.ts';
import { withoutPrefix } from './subjects.ts';

/** Differences between an existing event and an update. Previous values are present only if they differ. */
export interface MeetingChanges {
  /** True if start, end or recurrence changed. */
  readonly isTimeChanged: boolean;
  /** True if any other visible property changed. */
  readonly isContentChanged: boolean;
  readonly isAttendeeAdded: boolean;
  readonly isAttendeesChanged: boolean;
  readonly previousStart?: ZonedTime;
  readonly previousEnd?: ZonedTime;
  readonly previousLocation?: Location;
}

export const NO_CHANGES: MeetingChanges = {
  isTimeChanged: false,
  isContentChanged: false,
  isAttendeeAdded: false,
  isAttendeesChanged: false,
};

export interface Update {
  /** The day of the updated occurrence. */
  readonly day?: string | undefined;
  readonly component: TimedComponent;
  readonly mailBody: ItemBody;
  readonly series?: EventSeries | undefined;
  /** The days that the organizer has excluded so far. Days that the owner of the mailbox deleted do not count as a difference. */
  readonly excluded?: readonly string[] | undefined;
}

export function changesOf(before: CalendarEvent | undefined, update: Update): MeetingChanges {
  if (!before) return { ...NO_CHANGES, isTimeChanged: true, isContentChanged: true };
  const { day, component, mailBody } = update;
  const old: EventContent = contentAt(before, day) ?? before;
  const given = contentFrom(component, mailBody);
  const isStartChanged = !sameTime(old.start, given.start) || old.isAllDay !== given.isAllDay;
  const isEndChanged = !sameTime(old.end, given.end);
  const isPlaceChanged = old.location.displayName !== given.location.displayName;
  const isSeriesChanged = day === undefined && isOtherSeries(before, update);
  const [was, is] = [addressesOf(old.attendees), addressesOf(given.attendees)];
  const isAttendeeAdded = [...is].some((address) => !was.has(address));
  return {
    isTimeChanged: isStartChanged || isEndChanged || isSeriesChanged,
    isContentChanged:
      isPlaceChanged ||
      withoutPrefix(old.subject) !== given.subject ||
      old.importance !== given.importance ||
      old.sensitivity !== given.sensitivity ||
      old.bodyPreview !== given.bodyPreview,
    isAttendeeAdded,
    isAttendeesChanged: isAttendeeAdded || was.size !== is.size,
    ...(isStartChanged && { previousStart: old.start }),
    ...(isEndChanged && { previousEnd: old.end }),
    ...(isPlaceChanged && { previousLocation: old.location }),
  };
}

const sameTime = (a: ZonedTime, b: ZonedTime): boolean => toInstant(a.zone, a.wall) === toInstant(b.zone, b.wall);
const addressesOf = (attendees: readonly Attendee[]): ReadonlySet<string> =>
  new Set(attendees.map(({ address }) => address.toLowerCase()));

function isOtherSeries({ series: before }: CalendarEvent, { series, excluded }: Update): boolean {
  return seriesText(before, excluded ?? before?.cancelled) !== seriesText(series, series?.cancelled);
}

const seriesText = (series: EventSeries | undefined, excluded: readonly string[] = []): string =>
  series ? JSON.stringify([series.rules, series.dates, [...excluded].sort()]) : '';

/**
 * Classified by content, as the vendor's protocol documents say: a new time, new attendees or revival request a new response, other content
 * only informs, and changes of the attendee list only are silent.
 */
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
