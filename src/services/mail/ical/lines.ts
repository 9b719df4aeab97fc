import { decodeBytes } from '../mime/charset.ts';
import { isProblem, type Problem, problem } from '../mime/problem.ts';
import { CALENDAR_BOUNDS } from './bounds.ts';

/** One content line of RFC 5545: `NAME;PARAMETER=value,value:value`. */
export interface ContentLine {
  /** Upper case, without a group prefix. */
  readonly name: string;
  /** Keyed by upper-case name. Quotes and RFC 6868 escapes are removed from the values. */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  /** Not unescaped: escapes depend on the type of the property. */
  readonly value: string;
}

const LF = 0x0a;
const CR = 0x0d;
const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09;

/**
 * Joins folded lines. Works on bytes, since some senders fold at 75 octets in the middle of a UTF-8 character. Accepts CRLF, LF, CRCRLF,
 * and CR if the text has no LF at all.
 */
export function unfoldBytes(source: Uint8Array): Buffer {
  const bytes = Buffer.from(source);
  if (!bytes.includes(LF)) for (let at = bytes.indexOf(CR); at >= 0; at = bytes.indexOf(CR, at + 1)) bytes[at] = LF;
  const unfolded = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  let from = 0;
  while (from < bytes.length) {
    const found = bytes.indexOf(LF, from);
    const next = found < 0 ? bytes.length : found + 1;
    let end = found < 0 ? bytes.length : found;
    while (end > from && bytes[end - 1] === CR) end -= 1;
    bytes.copy(unfolded, length, from, end);
    length += end - from;
    const isFolded = isBlank(bytes[next]);
    if (!isFolded && found >= 0) unfolded[length++] = LF;
    from = isFolded ? next + 1 : next;
  }
  return unfolded.subarray(0, length);
}

/** Parses the content lines of a calendar. */
export function readLines(source: string | Uint8Array, charset?: string): readonly ContentLine[] | Problem {
  const lines = logicalLines(source, charset);
  return isProblem(lines) ? lines : lines.map(parseLine);
}

/**
 * The unfolded content lines, not parsed. A line without a name comes from a text whose line breaks the sender did not escape, so it is
 * appended to the line before it.
 */
export function logicalLines(source: string | Uint8Array, charset?: string): readonly string[] | Problem {
  const size = typeof source === 'string' ? Buffer.byteLength(source) : source.length;
  if (size > CALENDAR_BOUNDS.bytes) {
    return problem('tooLarge', `the calendar has ${size} bytes, more than ${CALENDAR_BOUNDS.bytes}`);
  }
  const text = textOf(source, charset);
  const physical = text.split('\n', CALENDAR_BOUNDS.lines + 1);
  if (physical.length > CALENDAR_BOUNDS.lines) {
    return problem('tooManyLines', `the calendar has more than ${CALENDAR_BOUNDS.lines} lines`);
  }
  const logical: string[] = [];
  for (const line of physical) {
    if (line.trim() === '') continue;
    if (LINE_START.test(line)) logical.push(line);
    else if (logical.length > 0) logical[logical.length - 1] += `\\n${line}`;
  }
  return logical;
}

/** UTF-16 cannot be unfolded as bytes. Every other charset encodes CR, LF, blank and tab as ASCII does. */
function textOf(source: string | Uint8Array, charset: string | undefined): string {
  if (typeof source !== 'string' && /^utf-?16/i.test(charset ?? '')) {
    return textOf(decodeBytes(source, charset), undefined);
  }
  const bytes = typeof source === 'string' ? Buffer.from(source) : source;
  return decodeBytes(unfoldBytes(bytes), typeof source === 'string' ? 'utf-8' : charset).replaceAll('\0', '');
}

const LINE_START = /^[A-Za-z0-9_.-]+[ \t]*[:;]/;

/** Parses a line that matches LINE_START. Malformed parameters never make it fail. */
export function parseLine(line: string): ContentLine {
  const nameEnd = line.search(/[:;]/);
  const parameters = new Map<string, string[]>();
  let at = nameEnd;
  while (line[at] === ';') at = readParameter(line, at + 1, parameters);
  const name = line.slice(0, nameEnd).trim().toUpperCase();
  return { name: name.slice(name.lastIndexOf('.') + 1), parameters, value: line.slice(at + 1) };
}

/** Parses the parameter at `from`. Returns the position of the `;` or `:` after it, or the end of the line. */
function readParameter(line: string, from: number, parameters: Map<string, string[]>): number {
  let at = from;
  while (at < line.length && !'=;:'.includes(line.charAt(at))) at += 1;
  const name = line.slice(from, at).trim().toUpperCase();
  const values: string[] = [];
  if (line[at] !== '=') {
    if (name !== '') parameters.set(name, values);
    return at;
  }
  do at = readParameterValue(line, at + 1, values);
  while (line[at] === ',');
  // If a parameter is repeated, the first one wins, as in mail headers.
  if (!parameters.has(name)) parameters.set(name, values);
  return at;
}

function readParameterValue(line: string, from: number, values: string[]): number {
  let at = from;
  while (line[at] === ' ') at += 1;
  if (line[at] === '"') {
    const close = line.indexOf('"', at + 1);
    // An unclosed quote is an ordinary character.
    if (close > 0) {
      values.push(unescapeParameter(line.slice(at + 1, close)));
      at = close + 1;
      while (at < line.length && !',;:'.includes(line.charAt(at))) at += 1;
      return at;
    }
  }
  while (at < line.length && !',;:'.includes(line.charAt(at))) at += 1;
  values.push(unescapeParameter(line.slice(from, at).trim()));
  return at;
}

/** Decodes RFC 6868 escapes. */
function unescapeParameter(value: string): string {
  return value.includes('^')
    ? value.replace(/\^[n'^]/g, (pair) => (pair === '^n' ? '\n' : pair === "^'" ? '"' : '^'))
    : value;
}
