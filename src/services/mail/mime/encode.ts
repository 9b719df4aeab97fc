import { MailValueError } from './errors.ts';

/** RFC 5322 recommends lines of at most 78 characters, RFC 2047 encoded words of at most 75. */
const LINE = 76;
const WORD_OCTETS = 45;
/** Keeps lines below the limit of RFC 5322, section 2.1.1: text with a longer run without blanks is written as encoded words. */
const LONGEST_TOKEN = 900;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to go.
const CONTROLS = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with control characters.
const ASCII = /^[\u0000-\u007f]*$/;

export const isAscii = (text: string): boolean => ASCII.test(text);

/** Validates a header value: a line break is an error; other control characters are dropped (a tab becomes a blank). */
export function headerText(field: string, value: string): string {
  if (/[\r\n\u0085\u2028\u2029]/.test(value))
    throw new MailValueError(field, 'a header value must not contain line breaks');
  return value.replaceAll('\t', ' ').replace(CONTROLS, '').trim();
}

/** Unstructured text (such as Subject), encoded if necessary. */
export function unstructured(text: string): string {
  const isPlain =
    isAscii(text) &&
    !text.includes('=?') &&
    !/ {2}/.test(text) &&
    text.split(' ').every((word) => word.length <= LONGEST_TOKEN);
  return isPlain ? text : encodedWords(text);
}

/** Encodes a text as RFC 2047 words in base64. Words hold whole characters and are separated by one blank. */
export function encodedWords(text: string): string {
  const words: string[] = [];
  let piece = '';
  let octets = 0;
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (octets + size > WORD_OCTETS) {
      words.push(piece);
      piece = '';
      octets = 0;
    }
    piece += character;
    octets += size;
  }
  words.push(piece);
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}

/** A display name: plain atoms, a quoted string if it has special characters, encoded words if it is not ASCII. */
export function phrase(name: string): string {
  if (!isAscii(name) || name.includes('=?') || name.length > LONGEST_TOKEN) return encodedWords(name);
  if (/^[\w!#$%&'*+/=?^`{|}~-]+(?: [\w!#$%&'*+/=?^`{|}~-]+)*$/.test(name)) return name;
  return quoted(name);
}

export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** A parameter of Content-Type or Content-Disposition; in RFC 2231 form if it is not ASCII or too long for a line. */
export function parameter(name: string, value: string): string {
  if (isAscii(value) && value.length <= LINE) return `${name}=${quoted(value)}`;
  const encoded = [...`UTF-8''`, ...percentEncoded(value)];
  const lines: string[] = [];
  let line = '';
  for (const token of encoded) {
    if (line.length + token.length > LINE - name.length - 10) {
      lines.push(line);
      line = '';
    }
    line += token;
  }
  lines.push(line);
  if (lines.length === 1) return `${name}*=${lines[0]}`;
  return lines.map((text, index) => `${name}*${index}*=${text}`).join('; ');
}

/** One token for each octet, so that a continuation never splits an octet. */
function percentEncoded(value: string): string[] {
  return Array.from(Buffer.from(value), (octet) => {
    const character = String.fromCharCode(octet);
    return /[A-Za-z0-9._~-]/.test(character) ? character : `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

/** Folds a header at its blanks. The blank stays at the fold, so unfolding restores the value. */
export function foldHeader(name: string, value: string): string {
  const lines: string[] = [];
  let line = `${name}:`;
  for (const word of value.split(' ')) {
    if (line.length + 1 + Buffer.byteLength(word) > LINE && line.length > name.length + 1 && word !== '') {
      lines.push(line);
      line = ` ${word}`;
    } else {
      line += ` ${word}`;
    }
  }
  lines.push(line);
  return `${lines.join('\r\n')}\r\n`;
}

/** Base64 in lines of 76 characters. */
export function base64Lines(bytes: Buffer): Buffer {
  const text = bytes.toString('base64');
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += LINE) lines.push(text.slice(at, at + LINE));
  return Buffer.from(lines.length === 0 ? '' : `${lines.join('\r\n')}\r\n`, 'latin1');
}

const CR = 0x0d;
const LF = 0x0a;
const TAB = 0x09;
const BLANK = 0x20;
const EQUALS = 0x3d;
const HEX = '0123456789ABCDEF';

/** Encodes a text with CRLF line breaks as quoted-printable. Writes octets into one buffer, since a text can have megabytes. */
export function quotedPrintable(text: string): Buffer {
  const octets = Buffer.from(text);
  const written = Buffer.allocUnsafe(encodedSize(octets.length));
  let end = 0;
  let column = 0;
  for (let at = 0; at < octets.length; at += 1) {
    const octet = octets[at] ?? 0;
    if (isLineEnd(octets, at)) {
      end = written.writeUInt16BE((CR << 8) | LF, end);
      column = 0;
      at += 1;
      continue;
    }
    const isPlain = isPrintable(octet) || (isBlank(octet) && at + 1 < octets.length && !isLineEnd(octets, at + 1));
    const size = isPlain ? 1 : 3;
    if (column + size > LINE - 1) {
      end += written.write('=\r\n', end, 'latin1');
      column = 0;
    }
    written[end] = isPlain ? octet : EQUALS;
    if (!isPlain) {
      written[end + 1] = HEX.charCodeAt(octet >> 4);
      written[end + 2] = HEX.charCodeAt(octet & 15);
    }
    end += size;
    column += size;
  }
  return written.subarray(0, end);
}

/** Upper bound: three characters for each octet, and three for each soft line break (a line has at least 73 characters). */
const encodedSize = (octets: number): number => octets * 3 + (Math.ceil((octets * 3) / 73) + 1) * 3;

const isLineEnd = (octets: Buffer, at: number): boolean => octets[at] === CR && octets[at + 1] === LF;
const isBlank = (octet: number): boolean => octet === BLANK || octet === TAB;
const isPrintable = (octet: number): boolean => octet > BLANK && octet <= 0x7e && octet !== EQUALS;
