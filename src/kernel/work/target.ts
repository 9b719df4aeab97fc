import { parseDuration } from '../time/duration.ts';
import { ClockError } from '../time/errors.ts';

/** A duration, or a time in milliseconds of the jar's clock. */
export type AdvanceTarget = string | number | { readonly at: number };

/** Later times do not have the format that clients parse. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Throws if the target is not valid whatever the time is. The result computes the time of the target, and throws if `now` is later. */
export function readTarget(to: AdvanceTarget): (now: number) => number {
  if (typeof to !== 'object') {
    const ms = parseDuration(to);
    return (now) => notTooLate(now + ms, 'BAD_DURATION');
  }
  const at = notTooLate(to.at, 'BAD_TIME');
  return (now) => {
    if (at >= now) return at;
    const times = `${new Date(at).toISOString()} is in the past, because the jar's time is ${new Date(now).toISOString()}`;
    throw new ClockError('BAD_TIME', `${times}; time goes forward only`);
  };
}

function notTooLate(at: number, code: 'BAD_DURATION' | 'BAD_TIME'): number {
  if (at > LAST_MOMENT) throw new ClockError(code, 'a clock can be moved to the end of the year 9999 at most');
  return at;
}
