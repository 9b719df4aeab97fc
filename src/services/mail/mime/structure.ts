import { LONGEST_BOUNDARY } from './bounds.ts';
import { isHeaderLine, parseHeader, rawValue } from './headers.ts';
import { parseStructured, type StructuredValue } from './parameters.ts';
import { type Problem, problem } from './problem.ts';
import type { MailBounds, MailHeader } from './types.ts';

/** One entity of a message: a multipart with children, or a leaf with a body. */
export interface MimePart {
  readonly headers: readonly MailHeader[];
  readonly contentType: StructuredValue;
  /** In its transfer encoding; a view into the message. */
  readonly body: Buffer;
  readonly children: readonly MimePart[];
}

interface OpenPart {
  headers: MailHeader[];
  contentType: StructuredValue;
  readonly defaultType: string;
  /** Start of the header section; once the header is complete, `bodyFrom` is the start of the body. */
  from: number;
  bodyFrom: number;
  bodyEnd: number;
  readonly children: OpenPart[];
}

const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;

/**
 * Splits a message into its parts in one pass over its lines and checks every bound on the way. Boundaries are looked up in a map, so that
 * a message of nothing but `--` costs no more than another.
 */
export function splitMessage(bytes: Buffer, bounds: MailBounds): MimePart | Problem {
  return new Splitter(bytes, bounds).run();
}

class Splitter {
  readonly #bytes: Buffer;
  readonly #bounds: MailBounds;
  /** The multiparts around the current position, outermost first. `#levels` indexes them by boundary. */
  readonly #open: { readonly part: OpenPart; readonly boundary: string }[] = [];
  readonly #levels = new Map<string, number>();
  #current: OpenPart | undefined;
  #isInHeader = true;
  #headerFrom = 0;
  #parts = 1;
  #headerBytes = 0;
  #headerLines = 0;

  constructor(bytes: Buffer, bounds: MailBounds) {
    this.#bytes = bytes;
    this.#bounds = bounds;
  }

  run(): MimePart | Problem {
    const root = newPart(this.#skipEnvelope(), 'text/plain');
    this.#current = root;
    this.#headerFrom = root.from;
    let at = root.from;
    while (at < this.#bytes.length) {
      if (!this.#isInHeader) at = this.#nextDashes(at);
      const found = this.#bytes.indexOf(LF, at);
      const next = found < 0 ? this.#bytes.length : found + 1;
      const end = lineEnd(this.#bytes, at, found < 0 ? next : found);
      const wrong = this.#line(at, end, next);
      if (wrong) return wrong;
      at = next;
    }
    if (this.#isInHeader) this.#endHeader(this.#bytes.length, this.#bytes.length);
    this.#endBody(this.#bytes.length);
    return closed(root, this.#bytes);
  }

  /** The next line that may be a delimiter. `from` is the start of a line. Skips body lines without looking at each of them. */
  #nextDashes(from: number): number {
    if (this.#open.length === 0) return this.#bytes.length;
    if (this.#bytes[from] === DASH) return from;
    const found = this.#bytes.indexOf('\n--', from, 'latin1');
    return found < 0 ? this.#bytes.length : found + 1;
  }

  /** Files in mbox format begin a message with a line `From sender date`, which is not a header. */
  #skipEnvelope(): number {
    if (this.#bytes.toString('latin1', 0, 5) !== 'From ') return 0;
    const end = this.#bytes.indexOf(LF);
    return end < 0 ? 0 : end + 1;
  }

  #line(from: number, end: number, next: number): Problem | undefined {
    if (this.#bytes[from] === DASH && this.#bytes[from + 1] === DASH && this.#open.length > 0) {
      const delimiter = this.#delimiter(from, end);
      if (delimiter) return this.#cross(delimiter.level, delimiter.isLast, from, next);
    }
    return this.#isInHeader ? this.#headerLine(from, end, next) : undefined;
  }

  /** The open multipart that a line delimits; undefined if it is not a delimiter. White space may follow a boundary. */
  #delimiter(from: number, end: number): { readonly level: number; readonly isLast: boolean } | undefined {
    if (end - from > LONGEST_BOUNDARY + 100) return undefined;
    const text = this.#bytes.toString('latin1', from + 2, end).trimEnd();
    const level = this.#levels.get(text);
    if (level !== undefined) return { level, isLast: false };
    const last = text.endsWith('--') ? this.#levels.get(text.slice(0, -2)) : undefined;
    return last === undefined ? undefined : { level: last, isLast: true };
  }

  /** Ends the current part at a delimiter line. Begins the next part unless the delimiter closes its multipart. */
  #cross(level: number, isLast: boolean, from: number, next: number): Problem | undefined {
    const wrong = this.#isInHeader ? this.#endHeader(from, from) : undefined;
    if (wrong) return wrong;
    this.#endBody(from);
    const multipart = this.#open[level]?.part;
    for (const { boundary } of this.#open.splice(isLast ? level : level + 1)) this.#levels.delete(boundary);
    if (isLast || !multipart) return undefined;
    if (++this.#parts > this.#bounds.parts) {
      return problem('tooManyParts', `the message has more than ${this.#bounds.parts} parts`);
    }
    const isDigest = multipart.contentType.value === 'multipart/digest';
    const part = newPart(next, isDigest ? 'message/rfc822' : 'text/plain');
    multipart.children.push(part);
    this.#current = part;
    this.#isInHeader = true;
    this.#headerFrom = next;
    return undefined;
  }

  #headerLine(from: number, end: number, next: number): Problem | undefined {
    this.#headerBytes += next - from;
    this.#headerLines += 1;
    if (this.#headerBytes > this.#bounds.headerBytes) {
      return problem('headersTooLarge', `the headers have more than ${this.#bounds.headerBytes} bytes`);
    }
    if (this.#headerLines > this.#bounds.headerLines) {
      return problem('headersTooLarge', `the headers have more than ${this.#bounds.headerLines} lines`);
    }
    if (end === from) return this.#endHeader(from, next);
    const isFold = this.#bytes[from] === 0x20 || this.#bytes[from] === 0x09;
    if (isFold && from !== this.#current?.from) return undefined;
    this.#takeHeader(from);
    return isHeaderLine(this.#bytes, from, end) ? undefined : this.#endHeader(from, from);
  }

  /** Adds the header between the last header line and `end`. */
  #takeHeader(end: number): void {
    if (end > this.#headerFrom) {
      this.#current?.headers.push(
        parseHeader(this.#bytes.subarray(this.#headerFrom, lineEnd(this.#bytes, this.#headerFrom, end))),
      );
    }
    this.#headerFrom = end;
  }

  #endHeader(end: number, bodyFrom: number): Problem | undefined {
    const part = this.#current;
    this.#isInHeader = false;
    if (!part) return undefined;
    this.#takeHeader(end);
    part.bodyFrom = bodyFrom;
    part.bodyEnd = bodyFrom;
    const written = rawValue(part.headers, 'content-type');
    part.contentType = parseStructured(written === undefined || written.trim() === '' ? part.defaultType : written);
    return part.contentType.value.startsWith('multipart/') ? this.#enter(part) : undefined;
  }

  #enter(part: OpenPart): Problem | undefined {
    // Blanks at the end of a boundary are not part of it (RFC 2046, section 5.1.1).
    const boundary = Buffer.from(part.contentType.parameters.get('boundary') ?? '')
      .toString('latin1')
      .trimEnd();
    if (boundary === '' || boundary.length > LONGEST_BOUNDARY) return undefined;
    if (this.#open.length >= this.#bounds.nesting) {
      return problem('tooDeep', `multiparts are nested deeper than ${this.#bounds.nesting}`);
    }
    // An inner multipart with the boundary of an outer one would hide the end of the outer one, so the boundary stays with the outer one.
    if (!this.#levels.has(boundary)) {
      this.#levels.set(boundary, this.#open.length);
      this.#open.push({ part, boundary });
    }
    return undefined;
  }

  /** The line break before a delimiter belongs to the delimiter. */
  #endBody(end: number): void {
    const part = this.#current;
    this.#current = undefined;
    if (!part) return;
    part.bodyEnd = end === this.#bytes.length ? end : beforeBreak(this.#bytes, part.bodyFrom, end);
  }
}

/** The end of a line's text, without LF and CR. `lf` is the position of the LF, or the end of the bytes. */
function lineEnd(bytes: Buffer, from: number, lf: number): number {
  let end = lf;
  if (end > from && bytes[end - 1] === LF) end -= 1;
  while (end > from && bytes[end - 1] === CR) end -= 1;
  return end;
}

/** The end of the text without the line break that ends at `end`. Removes one line break only. */
function beforeBreak(bytes: Buffer, from: number, end: number): number {
  if (end <= from || bytes[end - 1] !== LF) return Math.max(from, end);
  return end - 1 > from && bytes[end - 2] === CR ? end - 2 : end - 1;
}

function newPart(from: number, defaultType: string): OpenPart {
  return {
    headers: [],
    contentType: { value: defaultType, parameters: new Map() },
    defaultType,
    from,
    bodyFrom: from,
    bodyEnd: from,
    children: [],
  };
}

/** Recursion is safe: the depth is bounded. */
function closed(part: OpenPart, bytes: Buffer): MimePart {
  return {
    headers: part.headers,
    contentType: part.contentType,
    body: bytes.subarray(part.bodyFrom, part.bodyEnd),
    children: part.children.map((child) => closed(child, bytes)),
  };
}
