import { DAY_MS, dayOf, startOfDay } from '../../../kernel/time/index.ts';

/** Days of UTC, written `2026-01-31`, which sort as they follow each other. */

/** As long as detail is kept. */
export const KEPT_DAYS = 90;

export const dayBefore = (day: string, days = 1): string => dayOf(startOfDay(day) - days * DAY_MS);

/** From the one to the other, both included. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let time = startOfDay(first); time <= startOfDay(last); time += DAY_MS) days.push(dayOf(time));
  return days;
}
