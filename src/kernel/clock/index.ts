export { formatDuration, parseDuration } from '../time/duration.ts';
export { assertMovable, type ClockOptions, openClock } from './clock.ts';
export { ClockError, type ClockErrorCode } from './errors.ts';
export { clockCollection } from './position.ts';
export type { AdvanceResult, Clock, ClockMode, JarClock } from './types.ts';
