/** The part of RFC 2046 that batches use; lines may end in CRLF or LF, since clients send both. */

export interface Part {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A multipart body that cannot be read; the message continues the sentence "the batch cannot be read:". */
export class MultipartError extends Error {}

/** Above any batch limit; a body full of delimiters must not exhaust memory. */
const MOST_PARTS = 20_000;
const MOST_HEADERS = 100;
const LONGEST_HEAD_BYTES = 65_536;
const LONGEST_BOUNDARY = 200;

const LF = 10;
const CR = 13;
const DASH = 45;
const BLANKS = new Set([32, 9]);

const BOUNDARY = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i;

/** The boundary of a content type; undefined if it is not multipart/mixed. */
export function boundaryOf(contentType: string): string | undefined {
  if (!/^\s*multipart\/mixed\s*(;|$)/i.test(contentType)) return undefined;
  const found = BOUNDARY.exec(contentType);
  const boundary = found?.[1]?.replace(/\\(.)/g, '$1') ?? found?.[2] ?? '';
  if (boundary === '') throw new MultipartError("the content type 'multipart/mixed' names no boundary");
  if (boundary.length > LONGEST_BOUNDARY) throw new MultipartError('the boundary is too long');
  return boundary;
}

export function parseMultipart(bytes: Buffer, boundary: string): Part[] {
  const parts: Part[] = [];
  let begin: number | undefined;
  for (const { lineStart, lineEnd, isLast } of delimitersIn(bytes, boundary)) {
    if (begin !== undefined) {
      parts.push(splitHead(bytes.subarray(begin, Math.max(begin, beforeLineBreak(bytes, lineStart)))));
      if (parts.length > MOST_PARTS) throw new MultipartError(`it has more than ${MOST_PARTS} parts`);
    }
    if (isLast) return parts;
    begin = lineEnd;
  }
  const missing = begin === undefined ? `--${boundary}` : `--${boundary}--`;
  throw new MultipartError(`the line '${missing}' is missing`);
}

interface Delimiter {
  readonly lineStart: number;
  /** Start of the next line. */
  readonly lineEnd: number;
  readonly isLast: boolean;
}

/** Finds lines that consist of the delimiter only; one boundary may be a prefix of another. */
function* delimitersIn(bytes: Buffer, boundary: string): Generator<Delimiter> {
  // Searches for the line break together with the boundary, so that the boundary within a line costs nothing.
  const behindBreak = Buffer.from(`\n--${boundary}`);
  const length = behindBreak.length - 1;
  const isFirst = bytes.subarray(0, length).equals(behindBreak.subarray(1));
  let lineStart = isFirst ? 0 : bytes.indexOf(behindBreak) + 1;
  while (isFirst || lineStart > 0) {
    const end = lineStart + length;
    const isLast = bytes[end] === DASH && bytes[end + 1] === DASH;
    let at = isLast ? end + 2 : end;
    while (BLANKS.has(bytes[at] as number)) at++;
    if (bytes[at] === CR) at++;
    const lineEnd = Math.min(at + 1, bytes.length);
    if (at >= bytes.length || bytes[at] === LF) yield { lineStart, lineEnd, isLast };
    const next = bytes.indexOf(behindBreak, lineStart);
    if (next < 0) return;
    lineStart = next + 1;
  }
}

/** The line break before a delimiter belongs to the delimiter. */
function beforeLineBreak(bytes: Buffer, lineStart: number): number {
  const end = lineStart - 1;
  return bytes[end - 1] === CR ? end - 1 : end;
}

/** Splits header lines, an empty line and the body; the body may be missing. */
export function splitHead(bytes: Buffer): Part {
  const headers: Record<string, string> = { __proto__: null as never };
  let count = 0;
  let at = 0;
  let last: string | undefined;
  while (at < bytes.length) {
    const line = lineAt(bytes, at);
    at = line.next;
    if (at > LONGEST_HEAD_BYTES) throw new MultipartError('the headers of a part are too long');
    if (line.text === '') return { headers, body: bytes.subarray(at) };
    if (last !== undefined && /^[ \t]/.test(line.text)) {
      headers[last] += ` ${line.text.trim()}`;
      continue;
    }
    const [, name, value] = /^([!#$%&'*+.^`|~\w-]+)[ \t]*:(.*)$/s.exec(line.text) ?? [];
    if (name === undefined || value === undefined) {
      throw new MultipartError(`'${line.text.slice(0, 100)}' is not a header; an empty line must precede the body`);
    }
    count += 1;
    if (count > MOST_HEADERS) throw new MultipartError(`a part has more than ${MOST_HEADERS} headers`);
    last = name.toLowerCase();
    const before = headers[last];
    headers[last] = before === undefined ? value.trim() : `${before}, ${value.trim()}`;
  }
  return { headers, body: bytes.subarray(bytes.length) };
}

/** The line that begins at `at`, without its line break, and the start of the next line. */
export function lineAt(bytes: Buffer, at: number): { readonly text: string; readonly next: number } {
  const end = bytes.indexOf(LF, at);
  const next = end < 0 ? bytes.length : end + 1;
  if (next - at > LONGEST_HEAD_BYTES) throw new MultipartError('a line of a part is too long');
  const text = bytes.toString('utf8', at, end < 0 ? bytes.length : end);
  return { text: text.endsWith('\r') ? text.slice(0, -1) : text, next };
}
