import { errors } from '../errors.ts';

/** One segment of a resource path: `customers`, `customers(…)`, `$count`, `Microsoft.NAV.post`. */
export interface Segment {
  readonly name: string;
  /** The key between the parentheses: a text without its quotes, or the value after `id=`. */
  readonly key?: string;
}

const SEGMENT = /^([^()]+)(?:\((.*)\))?$/s;
const NAMED_KEY = /^\s*[A-Za-z_]\w*\s*=\s*/;
const LONGEST_PATH = 100;

/** Parses the percent-encoded path below an API. */
export function parsePath(path: string): Segment[] {
  const parts = splitOutsideQuotes(path).filter((part) => part !== '');
  if (parts.length > LONGEST_PATH) throw errors.BadRequest_InvalidRequestUrl({ reason: 'The path is too long.' });
  return parts.map(parseSegment);
}

function parseSegment(part: string): Segment {
  const found = SEGMENT.exec(decoded(part));
  if (!found) throw syntax(part);
  const name = found[1] as string;
  const key = found[2];
  if (key === undefined) return { name };
  return { name, key: keyText(key, part) };
}

/** `'O''Brien'` is `O'Brien`; `id=5` is `5`. No set has composite keys. */
function keyText(written: string, part: string): string {
  const value = written.trim().replace(NAMED_KEY, '');
  if (!value.startsWith("'")) {
    if (value === '' || /[',]/.test(value)) throw syntax(part);
    return value;
  }
  const text = /^'((?:[^']|'')*)'$/s.exec(value)?.[1];
  if (text === undefined) throw syntax(part);
  return text.replaceAll("''", "'");
}

/** A slash within quotes belongs to a key. */
function splitOutsideQuotes(path: string): string[] {
  if (!path.includes("'") && !/%27/.test(path)) return path.split('/');
  const parts: string[] = [''];
  let quoted = false;
  for (const token of path.match(/%27|[\s\S]/g) ?? []) {
    if (token === "'" || token === '%27') quoted = !quoted;
    if (token === '/' && !quoted) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw syntax(part);
  }
}

const syntax = (part: string): Error =>
  errors.BadRequest_NotFound({ reason: `The part '${part.slice(0, 100)}' of the address cannot be read.` });

/** `Microsoft.NAV.post`, also with the neutral provider name. Returns undefined if the segment is not a bound action. */
export const actionName = (name: string): string | undefined => /^(?:microsoft|vendor)\.nav\.(\w+)$/i.exec(name)?.[1];
