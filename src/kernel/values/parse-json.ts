/** Limits for JSON text. `JSON.parse` cannot be interrupted, so input that would take long is refused before parsing. */
export interface JsonBounds {
  /** Nesting depth. */
  readonly depth: number;
  /** Number of member names in all objects together. Each new name costs a microsecond. */
  readonly names: number;
  /** Number of members and elements in all objects and lists together. */
  readonly values: number;
  readonly bytes: number;
}

/** The default for APIs. */
export const JSON_BOUNDS: JsonBounds = { depth: 100, names: 20_000, values: 50_000, bytes: 16 * 1024 * 1024 };

/** The JSON exceeds a limit; the message says which one. */
export class JsonBoundsError extends Error {}

/** Parses UTF-8 with or without a byte order mark. Throws a `SyntaxError`, or a `JsonBoundsError` before parsing. */
export function parseJson(bytes: Buffer, bounds: Partial<JsonBounds> = {}): unknown {
  checkBounds(bytes, { ...JSON_BOUNDS, ...bounds });
  const text = bytes.toString('utf8');
  return JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
}

/** Formats an error of `parseJson` as a sentence for the client. */
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
/**
 * `[` and `{`, and `]` and `}`, differ only in this bit, and it maps no other character that JSON allows outside of strings to one of them.
 */
const BRACE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;
/** Longer strings are scanned by `indexOf`, which is faster per byte but costs a call. */
const SHORT_TEXT_BYTES = 64;
/** A string with one escaped quote may have a million of them, and a call for each would take longer than reading the bytes. */
const AFTER_ESCAPE_BYTES = 4096;

/** Reads each byte once, a fraction of the cost of parsing. Validity is left to the parser. */
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

/** Returns the index of the quote that ends a string, or the number of bytes if there is none. */
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
