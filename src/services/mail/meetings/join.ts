import { seriesOf } from '../calendar/content.ts';
import type { CalendarEvent, EventException, EventSeries } from '../calendar/types.ts';
import type { RecurrenceId } from '../ical/types.ts';
import type { ZonedTime } from '../zones/wall.ts';
import { dayOfTime } from './from-calendar.ts';
import { cancelledException, exceptionOfLone, revivedException } from './invited-event.ts';
import { compare, isSuperseded, later, WHOLE } from './records.ts';
import { slotTest } from './slots.ts';
import type { Latest, MeetingRecord } from './types.ts';

/** An exception that the mail itself contains, beside the series. */
export interface Override {
  readonly day: string;
  readonly exception: EventException;
  readonly latest: Latest;
}

export interface Joining {
  /** The rules of the mail, and the days that it excludes. */
  readonly series: EventSeries;
  readonly start: ZonedTime;
  readonly isAllDay: boolean;
  readonly subject: string;
  readonly whole: Latest;
  readonly overrides: readonly Override[];
  /** The event that is in the calendar so far. */
  readonly before: CalendarEvent | undefined;
  readonly lone: readonly CalendarEvent[];
  readonly record: MeetingRecord | undefined;
  /** True if the rules or times changed: changes by the owner of the mailbox to single days are then dropped. */
  readonly isTimeChanged: boolean;
}

export interface Joined {
  readonly series: EventSeries;
  /** The new content of the meeting record, by day and for the whole. */
  readonly latest: Readonly<Record<string, Latest>>;
}

/**
 * Merges a series with all known facts about its occurrences, in whatever order the mails arrived: exceptions that the series had,
 * occurrences and cancellations that arrived before it, and the exceptions in the mail itself.
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

/** Recomputes the days of occurrences that were recorded before the zone of their series was known. */
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

/** The response and other properties of the owner; empty if the time of the occurrence changed. */
function personal(before: EventException | undefined, given: EventException): EventException {
  const isMoved = before?.start && given.start && before.start.wall !== given.start.wall;
  return !before || isMoved || before.isCancelled ? {} : before;
}

/** Days that the organizer excluded, except occurrences that newer mail has restored, and days that the owner of the mailbox deleted. */
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
