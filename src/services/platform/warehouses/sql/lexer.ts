import { type Place, problems } from './problem.ts';

export interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'sign' | 'parameter' | 'end';
  /** For a text or a name, the unquoted value. */
  readonly text: string;
  readonly at: Place;
  /** Start and end in the statement. */
  readonly start: number;
  readonly end: number;
}

const MOST_TOKENS = 50_000;
/** Maximum number of gaps and comments between tokens. */
const MOST_SKIPS = 2 * MOST_TOKENS;
const BLANK = /\s+/y;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?:BD|[DFLSY])?(?![A-Za-z0-9_])/iy;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const PARAMETER = /:[A-Za-z_][A-Za-z0-9_]*|\?/y;
const SIGN = /<=>|::|\|\||<>|!=|<=|>=|==|[-+*/%(),.<>=;:]/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', '0': '\0', Z: '\x1a' };

/** Characters that can end a quoted text, or escape its end. */
const MARK = /['"`\\]/g;
const QUOTES: Readonly<Record<string, Token['kind']>> = { "'": 'text', '"': 'text', '`': 'name' };

/**
 * The position after the closing quote of the text that starts here; a doubled quote is part of the text. Returns undefined if the text is
 * not closed.
 */
function endOfQuoted(source: string, start: number): number | undefined {
  const quote = source[start];
  MARK.lastIndex = start + 1;
  while (MARK.test(source)) {
    const at = MARK.lastIndex - 1;
    const mark = source[at];
    if (mark === '\\' && quote !== '`') MARK.lastIndex = at + 2;
    else if (mark === quote) {
      if (source[at + 1] !== quote) return at + 1;
      MARK.lastIndex = at + 2;
    }
  }
  return undefined;
}

/** The text between quotes. Escapes of `LIKE` are kept. */
function unquoted(quoted: string): string {
  const quote = quoted[0] as string;
  const inside = quoted.slice(1, -1).replaceAll(quote + quote, quote);
  if (quote === '`' || !inside.includes('\\')) return inside;
  return inside.replace(/\\(u[0-9a-fA-F]{4}|[\s\S])/g, (whole, code: string) => {
    if (code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return code === '%' || code === '_' ? whole : (ESCAPES[code] ?? code);
  });
}

/** The position after the white space or the comment that starts here. */
function endOfSkipped(source: string, start: number): number {
  BLANK.lastIndex = start;
  const blank = BLANK.exec(source)?.[0];
  if (blank !== undefined) return start + blank.length;
  const end = source.startsWith('--', start)
    ? source.indexOf('\n', start)
    : source.startsWith('/*', start)
      ? source.indexOf('*/', start) + 2
      : start;
  return end < start ? source.length : end;
}

/** The tokens of a statement, followed by an end token. */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  let line = 1;
  let lineStart = 0;
  let skips = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset;
    const found = pattern.exec(source)?.[0];
    if (found === undefined) return undefined;
    offset += found.length;
    return found;
  };
  let lineEnd = source.indexOf('\n');
  const passLines = (): void => {
    while (lineEnd >= 0 && lineEnd < offset) {
      line++;
      lineStart = lineEnd + 1;
      lineEnd = source.indexOf('\n', lineStart);
    }
  };
  const next = (at: Place): Token => {
    const start = offset;
    const quoted = QUOTES[source[start] as string];
    if (quoted) {
      const end = endOfQuoted(source, start);
      if (end === undefined) throw problems.syntax(`'${source[start]}'`, at);
      offset = end;
      passLines();
      return { kind: quoted, text: unquoted(source.slice(start, end)), at, start, end };
    }
    for (const [kind, pattern] of [
      ['number', NUMBER],
      ['word', WORD],
      ['parameter', PARAMETER],
      ['sign', SIGN],
    ] as const) {
      // `a::int` is a cast, not a parameter.
      if (kind === 'parameter' && source.startsWith('::', start)) continue;
      const found = take(pattern);
      if (found !== undefined) return { kind, text: found, at, start, end: offset };
    }
    throw problems.syntax(`'${source[start]}'`, at);
  };
  for (;;) {
    const skipped = endOfSkipped(source, offset);
    if (skipped > offset) {
      offset = skipped;
      passLines();
      if (++skips > MOST_SKIPS) throw problems.tooMuch(`it has more than ${MOST_SKIPS} comments and gaps`);
      continue;
    }
    const at = { line, column: offset - lineStart };
    if (offset >= source.length) return [...tokens, { kind: 'end', text: '', at, start: offset, end: offset }];
    if (tokens.length >= MOST_TOKENS) throw problems.tooMuch(`it has more than ${MOST_TOKENS} words`);
    tokens.push(next(at));
  }
}
