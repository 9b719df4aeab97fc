import { decodeWords } from 'postal-mime';
import { decodeBytes } from './charset.ts';
import { oneLine } from './one-line.ts';
import type { MailHeader } from './types.ts';

const NAME = /^[\x21-\x39\x3b-\x7e]+[ \t]*:/;

/** Returns true if a line begins a header. A line that neither begins nor continues a header ends the header section, as in MTAs. */
export const isHeaderLine = (bytes: Buffer, from: number, end: number): boolean =>
  NAME.test(bytes.toString('latin1', from, Math.min(end, from + 200)));

/** Parses one header, including its folds. */
export function parseHeader(bytes: Buffer): MailHeader {
  const text = decodeBytes(bytes).replaceAll('\0', '');
  const colon = text.indexOf(':');
  const raw = text.slice(colon + 1);
  return { name: text.slice(0, colon).trim(), raw: raw.replace(/^[ \t]/, ''), value: decodeHeader(raw) };
}

/** Encoded words can contain any character, including line breaks. A decoded header is still one line. */
export function decodeHeader(raw: string): string {
  const unfolded = unfold(raw);
  return oneLine(unfolded.includes('=?') ? decodeWords(unfolded) : unfolded);
}

export const unfold = (raw: string): string => oneLine(raw.replace(/\r?\n(?=[ \t])/g, ''));

/**
 * The first header with a name, as received but unfolded. Encoded words are not decoded, since that depends on the structure of the value.
 */
export function rawValue(headers: readonly MailHeader[], name: string): string | undefined {
  const header = headers.find((one) => one.name.toLowerCase() === name);
  return header && unfold(header.raw);
}

export function decodedValue(headers: readonly MailHeader[], name: string): string | undefined {
  return headers.find((one) => one.name.toLowerCase() === name)?.value;
}
