import { errors } from './errors.ts';

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** A time out of a query, in milliseconds since 1970. */
export function readTime(name: string, text: string): number {
  // A plus sign in an address that was not encoded arrives as a space.
  const time = ISO_TIME.test(text.replace(' ', '+')) ? Date.parse(withZone(text.replace(' ', '+'))) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  const reason = `The parameter '${name}' must be a date and a time as of ISO 8601, not '${text.slice(0, 60)}'.`;
  throw errors.BadRequest({ reason }, { target: name });
}

/** UTC where it names none. */
const withZone = (text: string): string =>
  /T.*(Z|[+-]\d{2}:?\d{2})$/i.test(text) || !/T/i.test(text) ? text : `${text}Z`;
