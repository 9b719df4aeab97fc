import { DAY_MS } from '../../../kernel/time/index.ts';
import type { CalendarEvent, EventException } from '../calendar/types.ts';
import { createEvent, updateEvent } from '../calendar/write.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { toPattern } from '../recurrence/from-rule.ts';
import { parseRule, writeRule } from '../recurrence/rule.ts';
import { windowsName } from '../zones/names.ts';
import { parseDate } from '../zones/wall.ts';

type Given = Parameters<typeof createEvent>[1];

/**
 * RANGE=THISANDFUTURE: no single series can say it. The series ends before the day, and another one of the same meeting goes on from there with what
 * the mail says.
 */
export async function splitSeries(
  writer: MailboxWriter,
  event: CalendarEvent,
  day: string,
  given: Given,
): Promise<CalendarEvent> {
  const { series } = event;
  const from = parseDate(day);
  if (!series || from === undefined) return event;
  const rules = series.rules.map((rule) => endedBefore(rule, from - DAY_MS));
  await updateEvent(writer, event, {
    series: { ...series, ...shownAs(event, rules), exceptions: before(series.exceptions, day) },
  });
  const rest = {
    ...series,
    ...shownAs({ ...event, ...given }, series.rules),
    dates: series.dates.filter((date) => date >= from),
    exceptions: {},
  };
  const { loneOccurrence: _, ...content } = given;
  return createEvent(writer, { ...content, series: rest });
}

function endedBefore(rule: string, lastDay: number): string {
  const parsed = parseRule(rule);
  if (!parsed) return rule;
  const { count: _, ...kept } = parsed;
  return writeRule({ ...kept, until: { kind: 'date', day: lastDay } });
}

function shownAs({ start, isAllDay }: Pick<CalendarEvent, 'start' | 'isAllDay'>, rules: readonly string[]) {
  const parsed = rules.flatMap((rule) => parseRule(rule) ?? []);
  const shown = toPattern(
    { start: start.wall, zone: start.zone, rules: parsed, dates: [], exDates: [], isAllDay },
    windowsName(start.zone),
  );
  return { rules, recurrence: shown.fit === 'none' ? undefined : shown.recurrence };
}

const before = (exceptions: Readonly<Record<string, EventException>>, day: string): Record<string, EventException> =>
  Object.fromEntries(Object.entries(exceptions).filter(([each]) => each < day));
