export { formatDuration, parseDuration } from '../time/duration.ts';
export { ClockError, type ClockErrorCode } from '../time/errors.ts';
export { assertMovable, type ClockOptions, openClock } from './clock.ts';
export { clockCollection } from './position.ts';
export type { AdvanceResult, Clock, ClockMode, JarClock } from './types.ts';
