import { DAY_MS } from '../../../kernel/time/index.ts';
import type { Master } from '../calendar/content.ts';
import type { CalendarEvent, EventException, EventSeries } from '../calendar/types.ts';
import { createEvent, type GivenEvent, updateEvent } from '../calendar/write.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { occurrences } from '../recurrence/expand.ts';
import { toPattern } from '../recurrence/from-rule.ts';
import { parseRule, writeRule } from '../recurrence/rule.ts';
import type { Rule } from '../recurrence/types.ts';
import { weekdayFrom } from '../zones/civil.ts';
import { windowsName } from '../zones/names.ts';
import { dayOfWall, formatDate, parseDate, type Wall } from '../zones/wall.ts';
import { shareAttachments } from './attachments.ts';

/**
 * Splits a series for RANGE=THISANDFUTURE, which one series cannot express: the series ends before the day, and another series of the same
 * meeting continues from that day with the content of the mail.
 */
export async function splitSeries(
  writer: MailboxWriter,
  event: Master,
  day: string,
  given: GivenEvent,
): Promise<CalendarEvent> {
  const from = parseDate(day);
  // A range from the first occurrence covers the whole series.
  if (from === undefined || formatDate(event.start.wall) >= day)
    return updateEvent(writer, event, rest(event, 0, given));
  const next = rest(event, from, given);
  await updateEvent(writer, event, { series: endedBefore(event, event.series, day) });
  const { loneOccurrence: _, ...content } = given;
  return shareAttachments(writer, event, await createEvent(writer, { ...content, ...next, hasAttachments: false }));
}

type Times = Pick<CalendarEvent, 'start' | 'isAllDay'>;

/** The series, ended on the day before. */
export function endedBefore(times: Times, series: EventSeries, day: string): EventSeries {
  const from = parseDate(day);
  if (from === undefined) return series;
  const rules = series.rules.map((text) => {
    const rule = parseRule(text);
    if (!rule) return text;
    const { count: _, ...kept } = rule;
    return writeRule({ ...kept, until: { kind: 'date', day: from - DAY_MS } });
  });
  const isBefore = (each: string): boolean => each < day;
  return {
    ...series,
    ...shownAs(times, rules),
    dates: series.dates.filter((date) => date < from),
    exceptions: exceptionsOn(series, isBefore),
    cancelled: series.cancelled.filter(isBefore),
  };
}

/** The series from a day on, with the content of the mail. COUNT is reduced by the occurrences before the day. */
function rest(event: Master, from: Wall, given: GivenEvent): GivenEvent & { readonly series: EventSeries } {
  const { series } = event;
  const moved = dayOfWall(given.start.wall) - dayOfWall(Math.max(from, event.start.wall));
  const rules = series.rules.map((text) => {
    const rule = parseRule(text);
    return rule ? writeRule(shifted(counted(event, rule, from), moved)) : text;
  });
  const isRest = (day: string): boolean => (parseDate(day) ?? 0) >= from;
  const { loneOccurrence: _, ...content } = given;
  return {
    ...content,
    series: {
      ...shownAs(given, rules),
      dates: series.dates.filter((date) => date >= from),
      exceptions: {},
      cancelled: series.cancelled.filter(isRest),
    },
  };
}

function counted({ start, isAllDay }: Master, rule: Rule, from: Wall): Rule {
  if (rule.count === undefined || from === 0) return rule;
  const one = { start: start.wall, zone: start.zone, rules: [rule], dates: [], exDates: [], isAllDay };
  const before = [...occurrences(one, { from: start.wall, to: from })].length;
  return { ...rule, count: Math.max(1, rule.count - before) };
}

/** Moves the weekdays of a weekly rule. Monthly and yearly rules keep their days. */
function shifted(rule: Rule, days: number): Rule {
  if (rule.frequency !== 'WEEKLY' || days === 0) return rule;
  const byDay = rule.byDay.map(({ weekday, ordinal }) => ({
    weekday: weekdayFrom(weekday + days),
    ordinal,
  }));
  return { ...rule, byDay };
}

function shownAs({ start, isAllDay }: Times, rules: readonly string[]): Pick<EventSeries, 'rules' | 'recurrence'> {
  const parsed = rules.flatMap((rule) => parseRule(rule) ?? []);
  const shown = toPattern(
    { start: start.wall, zone: start.zone, rules: parsed, dates: [], exDates: [], isAllDay },
    windowsName(start.zone),
  );
  return { rules, ...(shown.fit !== 'none' && { recurrence: shown.recurrence }) };
}

const exceptionsOn = (
  { exceptions }: EventSeries,
  isKept: (day: string) => boolean,
): Readonly<Record<string, EventException>> =>
  Object.fromEntries(Object.entries(exceptions).filter(([day]) => isKept(day)));
