import { usageError } from './errors.ts';

/**
 * A name or id that somebody typed, for its place in a path. Without any, a path leads to the whole list instead of one member of it:
 * an empty variable in a script would remove everything. Dots alone lead elsewhere too.
 */
export function pathSegment(typed: string, what: string): string {
  if (typed === '') throw usageError(`the ${what} is empty`);
  if (typed === '.' || typed === '..') throw usageError(`'${typed}' cannot be the ${what}`);
  return encodeURIComponent(typed);
}
