import { seriesOf } from '../calendar/content.ts';
import type { CalendarEvent, EventException, EventSeries } from '../calendar/types.ts';
import type { RecurrenceId } from '../ical/types.ts';
import type { ZonedTime } from '../zones/wall.ts';
import { dayOfTime } from './from-calendar.ts';
import { cancelledException, exceptionOfLone, revivedException } from './invited-event.ts';
import { compare, isSuperseded, later, WHOLE } from './records.ts';
import { slotTest } from './slots.ts';
import type { Latest, MeetingRecord } from './types.ts';

/** An occurrence that the mail itself brings, beside the series. */
export interface Override {
  readonly day: string;
  readonly exception: EventException;
  readonly latest: Latest;
}

export interface Joining {
  /** The rules of the mail, and the days that it leaves out. */
  readonly series: EventSeries;
  readonly start: ZonedTime;
  readonly isAllDay: boolean;
  readonly subject: string;
  readonly whole: Latest;
  readonly overrides: readonly Override[];
  /** What the calendar has so far. */
  readonly before: CalendarEvent | undefined;
  readonly lone: readonly CalendarEvent[];
  readonly record: MeetingRecord | undefined;
  /** Rules and times are others than before: what the owner of the mailbox did to single days is over. */
  readonly isTimeChanged: boolean;
}

export interface Joined {
  readonly series: EventSeries;
  /** For the record, by day; the whole included. */
  readonly latest: Readonly<Record<string, Latest>>;
}

/**
 * A series with all that is known of its occurrences, in whatever order the mails about them came: the exceptions that it had, occurrences and
 * cancellations that were there before it, and what the mail itself brings.
 */
export function joinSeries(joining: Joining): Joined {
  const { series, start, whole, overrides, before, lone, record, isTimeChanged } = joining;
  const latest = byDayIn(start, record);
  const isSlot = slotTest(
    seriesOf(joining),
    Object.values(latest).flatMap(({ slot }) => slot ?? []),
  );
  const isOver = (day: string, known: Latest): boolean =>
    isSuperseded(known, day, whole, () => !known.slot || isSlot(known.slot));
  const exceptions: Record<string, EventException> = {};
  for (const [day, exception] of Object.entries(before?.series?.exceptions ?? {})) {
    const known = latest[day];
    if (known ? isOver(day, known) : isTimeChanged) continue;
    exceptions[day] = known?.isCancelled ? exception : revivedException(exception);
  }
  for (const event of lone) {
    const day = dayOfLone(event, start, record);
    const known = latest[day];
    if (!known?.slot?.thisAndFuture && (!known || !isOver(day, known))) exceptions[day] = exceptionOfLone(event);
  }
  for (const { day, exception, latest: given } of overrides) {
    const known = latest[day];
    const newest = later(given, { ...given, sequence: whole.sequence, stamp: whole.stamp });
    if (known && !isOver(day, known) && compare(known, newest) > 0) continue;
    exceptions[day] = { ...personal(exceptions[day], exception), ...exception, isCancelled: false };
    latest[day] = newest;
  }
  for (const [day, known] of Object.entries(latest))
    if (known.isCancelled && !known.slot?.thisAndFuture && !isOver(day, known) && !exceptions[day]?.isCancelled)
      exceptions[day] = cancelledException(exceptions[day], joining.subject, known);
  const cancelled = deletedDays(joining, latest);
  for (const day of cancelled) delete exceptions[day];
  return { series: { ...series, exceptions, cancelled }, latest: { ...latest, [WHOLE]: whole } };
}

/** Occurrences that were recorded before the zone of their series was known have their day by it now. */
function byDayIn(start: ZonedTime, record: MeetingRecord | undefined): Record<string, Latest> {
  const { [WHOLE]: _, ...days } = record?.latest ?? {};
  return Object.fromEntries(Object.entries(days).map(([day, known]) => [dayOf(day, known.slot, start), known]));
}

const dayOf = (day: string, slot: RecurrenceId | undefined, start: ZonedTime): string =>
  slot ? dayOfTime(slot, start) : day;

export function dayOfLone(
  { loneOccurrence = '' }: CalendarEvent,
  start: ZonedTime,
  record: MeetingRecord | undefined,
): string {
  return dayOf(loneOccurrence, record?.latest[loneOccurrence]?.slot, start);
}

/** The answer and what else is the owner's, unless the occurrence has another time now. */
function personal(before: EventException | undefined, given: EventException): EventException {
  const isMoved = before?.start && given.start && before.start.wall !== given.start.wall;
  return !before || isMoved || before.isCancelled ? {} : before;
}

/** What the organizer leaves out, but for occurrences that newer mail has brought back; and what the owner of the mailbox has deleted. */
function deletedDays(
  { series, before, record, whole, isTimeChanged }: Joining,
  latest: Readonly<Record<string, Latest>>,
): readonly string[] {
  const isRevived = (day: string): boolean => {
    const known = latest[day];
    return known !== undefined && !known.isCancelled && compare(known, whole) > 0;
  };
  const excluded = record?.latest[WHOLE]?.excluded ?? [];
  const own = isTimeChanged ? [] : (before?.series?.cancelled ?? []).filter((day) => !excluded.includes(day));
  return [...new Set([...series.cancelled.filter((day) => !isRevived(day)), ...own])].sort();
}
