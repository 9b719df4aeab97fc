import { usageError } from './errors.ts';

/**
 * Encodes a typed name or id as a path segment. An empty one is rejected: the path would then mean the whole list, so an empty variable in
 * a script could delete everything. Names of dots only are rejected as well, because they change the path.
 */
export function pathSegment(typed: string, what: string): string {
  if (typed === '') throw usageError(`the ${what} is empty`);
  if (typed === '.' || typed === '..') throw usageError(`'${typed}' cannot be the ${what}`);
  return encodeURIComponent(typed);
}
