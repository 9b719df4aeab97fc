/** How much a text of JSON may hold. `JSON.parse` cannot be interrupted, so what would take it long is refused before. */
export interface JsonBounds {
  /** Levels of nesting. */
  readonly depth: number;
  /** Names of members, of all objects together. Each name that is new costs a microsecond. */
  readonly names: number;
  /** Members and entries, of all objects and lists together. */
  readonly values: number;
  readonly bytes: number;
}

/** For APIs that declare nothing else. */
export const JSON_BOUNDS: JsonBounds = { depth: 100, names: 20_000, values: 50_000, bytes: 16 * 1024 * 1024 };

/** JSON that holds more than it may; the message is what is wrong with it. */
export class JsonBoundsError extends Error {}

/** Reads UTF-8, with or without a byte order mark. Throws a `SyntaxError`, or a `JsonBoundsError` before anything is parsed. */
export function parseJson(bytes: Buffer, bounds: Partial<JsonBounds> = {}): unknown {
  checkBounds(bytes, { ...JSON_BOUNDS, ...bounds });
  const text = bytes.toString('utf8');
  return JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
}

/** A sentence about what `parseJson` has thrown, for whoever sent it. */
export function jsonMistake(thrown: unknown, subject = 'The request body'): string {
  if (thrown instanceof JsonBoundsError) return `${subject} ${thrown.message}.`;
  const reason = thrown instanceof Error ? thrown.message.slice(0, 200).toWellFormed() : 'it cannot be read';
  return `${subject} is not valid JSON: ${reason}.`;
}

const BYTE_ORDER_MARK = 0xfeff;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** `[` and `{`, `]` and `}` differ in this bit alone, and nothing else that JSON has outside of texts becomes one of them by it. */
const BRACE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;
/** A text that is longer is looked through by `indexOf`, which is faster but has to be called. */
const SHORT_TEXT_BYTES = 64;
/** Where a text has one escaped quote it may have a million, and a call for each would take longer than the bytes themselves. */
const AFTER_ESCAPE_BYTES = 4096;

/** One look at each byte: a fraction of what parsing costs. Whether it is JSON at all is for the parser to say. */
export function checkBounds(bytes: Buffer, bounds: JsonBounds): void {
  const { length } = bytes;
  if (length > bounds.bytes) throw new JsonBoundsError(`has more than ${bounds.bytes} bytes of JSON`);
  let depth = 0;
  let names = 0;
  let values = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = endOfText(bytes, at + 1);
    else if (byte === COMMA) {
      if (++values >= bounds.values) throw new JsonBoundsError(`has more than ${bounds.values} values`);
    } else if (byte === COLON) {
      if (++names > bounds.names) throw new JsonBoundsError(`has more than ${bounds.names} names of members`);
    } else if ((byte | BRACE_BIT) === OPENING) {
      if (++depth > bounds.depth) throw new JsonBoundsError(`is nested more than ${bounds.depth} levels deep`);
    } else if ((byte | BRACE_BIT) === CLOSING) depth--;
  }
}

/** The place of the quote that ends a text, or the end of the bytes. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start;
  for (let most = SHORT_TEXT_BYTES; ; most = AFTER_ESCAPE_BYTES) {
    const near = Math.min(at + most, bytes.length);
    while (at < near) {
      const byte = bytes[at];
      if (byte === QUOTE) return at;
      at += byte === BACKSLASH ? 2 : 1;
    }
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) return bytes.length;
    let before = quote;
    while (before > at && bytes[before - 1] === BACKSLASH) before--;
    if ((quote - before) % 2 === 0) return quote;
    at = quote + 1;
  }
}
