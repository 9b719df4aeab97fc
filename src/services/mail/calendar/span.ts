import { DAY_MS } from '../../../kernel/time/index.ts';
import { occurrences } from '../recurrence/expand.ts';
import type { Rule } from '../recurrence/types.ts';
import { toInstant } from '../zones/zone.ts';
import { isMaster, type Master, seriesOf } from './content.ts';
import { spanOf } from './times.ts';
import type { CalendarEvent } from './types.ts';

export type StoredSpan = Pick<CalendarEvent, 'spanFrom' | 'spanTo'>;

/** At most this many occurrences of a series with COUNT are expanded to find its end; a longer series counts as endless. */
const MOST_COUNTED = 20_000;

/**
 * The span of an event with all of its occurrences; an endless series has `null` as its end. Windows are searched by this span, so it may
 * be wider than the event but never narrower.
 */
export function storedSpan(event: Omit<CalendarEvent, keyof StoredSpan>): StoredSpan {
  const whole: CalendarEvent = { ...event, spanFrom: 0, spanTo: 0 };
  const { from, to } = spanOf(whole, 'UTC');
  if (!isMaster(whole)) return { spanFrom: from, spanTo: to };
  const last = lastEnd(whole, to - from);
  const moved = Object.values(whole.series.exceptions).flatMap((exception) =>
    exception.start && exception.end
      ? [spanOf({ ...whole, ...exception, start: exception.start, end: exception.end }, 'UTC')]
      : [],
  );
  // One more day, since the zone offset of an occurrence can differ from that of the first one.
  return {
    spanFrom: lowest([from, ...moved.map((each) => each.from), ...rdates(whole)]),
    spanTo: last === null ? null : highest([to, last + DAY_MS, ...moved.map((each) => each.to)]),
  };
}

/** Not `Math.min(...values)`: there can be more values than a function takes arguments. */
const lowest = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
const highest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));

const rdates = ({ series, start }: Master): readonly number[] =>
  series.dates.map((wall) => toInstant(start.zone, wall));

function lastEnd(master: Master, length: number): number | null {
  const series = seriesOf(master);
  const { zone } = series;
  const fixed = highest([toInstant(zone, series.start), ...rdates(master)]);
  const ends = series.rules.map((rule) =>
    rule.until ? untilOf(rule.until, zone) : rule.count === undefined ? null : undefined,
  );
  if (ends.includes(null)) return null;
  const counted = ends.includes(undefined) ? lastCounted(master) : fixed;
  return counted === null ? null : highest([fixed, counted, ...ends.map((end) => end ?? 0)]) + length;
}

const untilOf = (until: NonNullable<Rule['until']>, zone: string): number =>
  until.kind === 'utc' ? until.at : toInstant(zone, until.kind === 'date' ? until.day + DAY_MS : until.wall);

function lastCounted(master: Master): number | null {
  const series = seriesOf(master);
  let last = series.start;
  const walls = occurrences(series, { from: series.start, work: MOST_COUNTED });
  for (const wall of walls) last = wall;
  return walls.isIncomplete ? null : toInstant(series.zone, last);
}
