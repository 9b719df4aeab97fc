import { occurrences } from '../../../../src/services/mail/recurrence/expand.ts';
import { parseRule } from '../../../../src/services/mail/recurrence/rule.ts';
import type { Rule, Series } from '../../../../src/services/mail/recurrence/types.ts';
import { formatWall, parseWall, type Wall } from '../../../../src/services/mail/zones/wall.ts';

/** Parses a wall-clock time in a test; throws if it is invalid. */
export const wall = (text: string): Wall => {
  const parsed = parseWall(text);
  if (parsed === undefined) throw new Error(`not a wall-clock time: ${text}`);
  return parsed;
};

export const rule = (text: string): Rule => {
  const parsed = parseRule(text);
  if (!parsed) throw new Error(`not a rule: ${text}`);
  return parsed;
};

export const series = (start: string, rules: string | readonly string[], more: Partial<Series> = {}): Series => ({
  start: wall(start),
  zone: 'America/New_York',
  rules: [rules].flat().map(rule),
  dates: [],
  exDates: [],
  isAllDay: false,
  ...more,
});

/** The first occurrences from a time on. */
export const take = (of: Series, count: number, from: Wall = of.start): Wall[] => {
  const taken: Wall[] = [];
  if (count === 0) return taken;
  for (const found of occurrences(of, { from })) {
    taken.push(found);
    if (taken.length >= count) break;
  }
  return taken;
};

/** `2026-01-05 09:00`, or only the day for whole days. */
export const shown = (walls: readonly Wall[], isAllDay = false): string[] =>
  walls.map((at) =>
    formatWall(at)
      .slice(0, isAllDay ? 10 : 16)
      .replace('T', ' '),
  );
