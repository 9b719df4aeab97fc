/** Days of UTC, written `2026-01-31`, which sort as they follow each other. */

export const DAY_MS = 24 * 60 * 60 * 1000;
/** As long as detail is kept. */
export const KEPT_DAYS = 90;

const LENGTH = 'yyyy-mm-dd'.length;

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, LENGTH);
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);
export const dayBefore = (day: string, days = 1): string => dayOf(startOfDay(day) - days * DAY_MS);

/** From the one to the other, both included. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let time = startOfDay(first); time <= startOfDay(last); time += DAY_MS) days.push(dayOf(time));
  return days;
}
