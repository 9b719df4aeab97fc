import { DAY_MS, dayOf, startOfDay } from '../../../kernel/time/index.ts';

/** UTC days in the form `2026-01-31`, which sort chronologically. */

/** Retention of details. */
export const KEPT_DAYS = 90;

export const dayBefore = (day: string, days = 1): string => dayOf(startOfDay(day) - days * DAY_MS);

/** From `first` to `last`, both included. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let time = startOfDay(first); time <= startOfDay(last); time += DAY_MS) days.push(dayOf(time));
  return days;
}
