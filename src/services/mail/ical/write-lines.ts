/** A parameter: its name, then one or more values. */
export type Parameter = readonly [name: string, ...values: string[]];

/** RFC 5545 folds after 75 octets, without the line break. */
const LINE_OCTETS = 75;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to go.
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f\u0085\u2028\u2029]/g;

/** An unfolded content line. The value must already be in the form of its type; line breaks are removed, so no value can end the line. */
export function property(name: string, parameters: readonly Parameter[], value: string): string {
  const texts = parameters.map(
    ([key, ...values]) => `;${key}=${values.map((text) => parameterValue(key, text)).join(',')}`,
  );
  return `${name}${texts.join('')}:${value.replace(CONTROLS, '')}`;
}

/** Parameters with addresses, which RFC 5545 always quotes. */
const QUOTED = new Set(['SENT-BY', 'DELEGATED-TO', 'DELEGATED-FROM']);

/** Escapes by RFC 6868, and quotes if RFC 5545 requires it. */
function parameterValue(name: string, value: string): string {
  const text = value
    .replace(/\r\n?/g, '\n')
    .replace(/[\^\n"]/g, (odd) => (odd === '^' ? '^^' : odd === '\n' ? '^n' : "^'"))
    .replace(CONTROLS, '');
  return QUOTED.has(name) || /[:;,]|^\s|\s$|^$/.test(text) ? `"${text}"` : text;
}

/** Escapes TEXT: backslash, semicolon, comma and line feed. CRLF and CR count as a line feed. */
export function escapeText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[\\;,\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}

/** Folds each line and joins them with CRLF. */
export function foldLines(lines: readonly string[]): string {
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

/** Folds between characters, so that readers that decode before unfolding find no broken characters. */
function foldLine(line: string): string {
  if (line.length <= LINE_OCTETS && Buffer.byteLength(line) <= LINE_OCTETS) return line;
  const pieces: string[] = [];
  let from = 0;
  let octets = 0;
  let at = 0;
  while (at < line.length) {
    const code = line.codePointAt(at) ?? 0;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    // The leading blank of a continuation line counts towards its length.
    if (octets + size > (pieces.length === 0 ? LINE_OCTETS : LINE_OCTETS - 1)) {
      pieces.push(line.slice(from, at));
      from = at;
      octets = 0;
    }
    octets += size;
    at += code < 0x10000 ? 1 : 2;
  }
  pieces.push(line.slice(from));
  return pieces.join('\r\n ');
}
