import { errors } from '../errors.ts';

/** One step of a resource path: `customers`, `customers(…)`, `$count`, `Microsoft.NAV.post`. */
export interface Segment {
  readonly name: string;
  /** What stands between the parentheses: a text without its quotes, or the value behind `id=`. */
  readonly key?: string;
}

const SEGMENT = /^([^()]+)(?:\((.*)\))?$/s;
const NAMED_KEY = /^\s*[A-Za-z_]\w*\s*=\s*/;
const LONGEST_PATH = 100;

/** The steps of a path below an API, percent-encoded as it was sent. */
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

/** `'O''Brien'` is `O'Brien`; `id=5` is `5`. Several keys are nothing that any set here has. */
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

/** A slash within quotes is part of a key. */
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

/** `Microsoft.NAV.post`, also by the neutral name of the provider; undefined where it is no bound action. */
export const actionName = (name: string): string | undefined => /^(?:microsoft|vendor)\.nav\.(\w+)$/i.exec(name)?.[1];
