import type { Call } from '../../../kernel/service/index.ts';
import { JsonBoundsError } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';
import { parseLeniently } from './lenient-json.ts';

/** Limits of detection and of sentence breaking. */
export const MOST_ELEMENTS = 100;
/** For one text, and for all together; spaces count. */
export const MOST_CHARACTERS = 50_000;

export interface Texts {
  readonly texts: readonly string[];
  /** Unicode characters of all texts together. */
  readonly characters: number;
}

/** Reads the texts of a request. Checks in the assumed order of the real service: content type, JSON, array, elements, lengths. */
export function readTexts(call: Call): Texts {
  const elements = readArray(call);
  if (elements.length === 0) throw errors.InvalidInput({ reason: 'The request body is an array without elements.' });
  if (elements.length > MOST_ELEMENTS) {
    throw errors.TooManyElements({ count: elements.length, maximum: MOST_ELEMENTS });
  }
  const texts = elements.map(readElement);
  return { texts, characters: checkLengths(texts) };
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;

function readArray({ body, headers }: Call): readonly unknown[] {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const type = headers['content-type'];
  // An empty body needs no content type.
  if (type !== undefined || bytes.length > 0) checkType(type, headers['content-encoding']);
  if (bytes.length === 0) throw errors.InvalidJson({ reason: 'it is empty' });
  const value = parse(bytes);
  if (!Array.isArray(value)) throw errors.InvalidJson({ reason: 'it is not an array' });
  return value;
}

const LONGEST_SHOWN = 100;

function checkType(type: string | string[] | undefined, encoding: string | string[] | undefined): void {
  const shown = String(type ?? '').slice(0, LONGEST_SHOWN);
  if (!JSON_TYPE.test(shown)) {
    const found = type === undefined ? 'is missing' : `is '${shown}'`;
    throw errors.InvalidContentType({ reason: `The header 'Content-Type' ${found}; it must be 'application/json'.` });
  }
  const charset = CHARSET.exec(shown)?.[1] ?? 'utf-8';
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset)) {
    throw errors.InvalidContentType({ reason: `The charset '${charset}' is not supported; send UTF-8.` });
  }
  if (encoding === undefined || /^identity$/i.test(String(encoding))) return;
  const coded = String(encoding).slice(0, LONGEST_SHOWN);
  throw errors.InvalidContentType({ reason: `The content encoding '${coded}' is not supported; send it as it is.` });
}

function parse(bytes: Buffer): unknown {
  try {
    return parseLeniently(bytes);
  } catch (cause) {
    const told = cause instanceof Error ? cause.message.slice(0, 200) : 'it cannot be read';
    const reason = cause instanceof JsonBoundsError ? `it ${told}` : told;
    throw errors.InvalidJson({ reason }, { cause });
  }
}

function readElement(element: unknown, index: number): string {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) {
    throw errors.InvalidElement({ index, reason: 'it must be an object' });
  }
  const text = textOf(element as Readonly<Record<string, unknown>>);
  if (text === undefined) throw errors.InvalidElement({ index, reason: "it has no 'Text'" });
  if (typeof text !== 'string') throw errors.InvalidElement({ index, reason: "its 'Text' must be a string" });
  return text;
}

/** The member with the exact name, otherwise the last one that differs only in case. */
function textOf(element: Readonly<Record<string, unknown>>): unknown {
  if (Object.hasOwn(element, 'Text')) return element.Text;
  if (Object.hasOwn(element, 'text')) return element.text;
  const name = Object.keys(element).findLast((each) => each.toLowerCase() === 'text');
  return name === undefined ? undefined : element[name];
}

function checkLengths(texts: readonly string[]): number {
  let total = 0;
  for (const [index, text] of texts.entries()) {
    const characters = countCharacters(text);
    if (characters > MOST_CHARACTERS) throw errors.TextTooLong({ index, characters, maximum: MOST_CHARACTERS });
    total += characters;
  }
  if (total > MOST_CHARACTERS) throw errors.RequestTooLong({ characters: total, maximum: MOST_CHARACTERS });
  return total;
}

/** Counts Unicode characters: a surrogate pair is one, and so is an unpaired surrogate. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) {
    if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) continue;
    if ((text.charCodeAt(at - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
}
