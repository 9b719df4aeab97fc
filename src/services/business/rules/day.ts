/** The day of a moment of the jar's clock: `2024-01-31`. */
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);
