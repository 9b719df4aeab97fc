/** Times in the formats that APIs use, all in UTC. */

/** `2026-03-10T01:30:00.000Z`. */
export const isoTime = (at: number): string => new Date(at).toISOString();

/** The UTC date of a time: `2026-03-10`. */
export const dayOf = (at: number): string => isoTime(at).slice(0, 10);

export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);
