import { didYouMean } from '../config/did-you-mean.ts';
import type { ApiError } from '../http/errors.ts';

/** Checks, common to fault rules and inboxes, that a schema cannot express well. */

/** Creates the error for a member, from its name and the problem. */
export type Refuse = (field: string, reason: string) => ApiError;

/** Statuses without a body. */
export const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

const MOST_BODY_BYTES = 64 * 1024;
const MOST_VALUES = 50;
const MOST_VALUE_BYTES = 8 * 1024;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers that only the server sets: a wrong length would corrupt the next response on the connection. */
const FRAMING = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'trailer',
  'x-cloudjar-fault',
]);

type WithProperties = { readonly properties: object };

export const membersOf = (schema: WithProperties): string[] => Object.keys(schema.properties);

export function refuseUnknown(given: object, schema: WithProperties, prefix: string, refuse: Refuse): void {
  const known = membersOf(schema);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const reason = `is not known here${suggest(unknown, known)}; there are ${known.join(', ')}`;
  throw refuse(`${prefix}${printable(unknown)}`, reason);
}

export function suggest(word: string, candidates: readonly string[]): string {
  const near = didYouMean(word.slice(0, 100), candidates);
  return near === undefined ? '' : ` (did you mean '${near}'?)`;
}

/** Normalises headers: names in lower case, values as text. */
export function readHeaders(
  headers: Readonly<Record<string, string | number>>,
  field: string,
  refuse: Refuse,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => {
    if (!HEADER_NAME.test(name)) throw refuse(field, `has the invalid header name '${printable(name)}'`);
    const lower = name.toLowerCase();
    const at = `${field}.${printable(name)}`;
    if (FRAMING.has(lower)) throw refuse(at, 'can be set only by the server');
    if (!HEADER_VALUE.test(String(value)))
      throw refuse(at, 'contains a line break or another character that a header cannot have');
    return [lower, String(value)];
  });
  return bounded(Object.fromEntries(entries), field, refuse);
}

export function bounded(
  values: Readonly<Record<string, string>>,
  field: string,
  refuse: Refuse,
): Record<string, string> {
  const entries = Object.entries(values);
  if (entries.length > MOST_VALUES) throw refuse(field, `has more than ${MOST_VALUES} entries`);
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (bytes > MOST_VALUE_BYTES) throw refuse(field, `is larger than ${MOST_VALUE_BYTES} bytes`);
  return Object.fromEntries(entries);
}

export function checkAnswerBody(body: unknown, status: number, field: string, refuse: Refuse): void {
  if (body === undefined) return;
  if (WITHOUT_BODY.has(status)) throw refuse(field, `cannot be sent with the status ${status}, which has none`);
  if (Buffer.byteLength(JSON.stringify(body)) > MOST_BODY_BYTES)
    throw refuse(field, `is larger than the ${MOST_BODY_BYTES} bytes allowed`);
}

/** A shortened, printable form of a client's text, for a message. */
export const printable = (text: string): string => text.slice(0, 60).replace(/[^\x20-\x7e]/g, '?');
