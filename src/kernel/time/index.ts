export { type Civil, civilOf, type Day, dayOfCivil } from './civil.ts';
export { dayOf, isoTime, startOfDay } from './dates.ts';
export { formatDuration, LONGEST_DURATION_MS, parseDuration } from './duration.ts';
export { after, every, later, nextTurn, pause, processTime, wallNow } from './timers.ts';
export { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './units.ts';
