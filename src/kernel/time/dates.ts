/** Times as APIs write them. All are of UTC. */

/** `2026-03-10T01:30:00.000Z`. */
export const isoTime = (at: number): string => new Date(at).toISOString();

/** The day that a time is in: `2026-03-10`. */
export const dayOf = (at: number): string => isoTime(at).slice(0, 10);

/** The first moment of a day. */
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);
