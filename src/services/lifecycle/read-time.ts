import { errors } from './errors.ts';

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** The range of times with a four-digit year in UTC, whatever the given zone. */
const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Parses a time from a query to milliseconds since 1970. */
export function readTime(name: string, text: string): number {
  // An unencoded plus sign in a URL arrives as a space.
  const time = ISO_TIME.test(text.replace(' ', '+')) ? Date.parse(withZone(text.replace(' ', '+'))) : Number.NaN;
  if (time >= FIRST && time <= LAST) return time;
  const reason = `The parameter '${name}' must be an ISO 8601 date, with or without a time, not '${text.slice(0, 60)}'.`;
  throw errors.BadRequest({ reason }, { target: name });
}

/** A time without a zone is in UTC. */
const withZone = (text: string): string =>
  /T.*(Z|[+-]\d{2}:?\d{2})$/i.test(text) || !/T/i.test(text) ? text : `${text}Z`;
