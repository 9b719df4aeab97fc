/**
 * A writer for the distinguished encoding rules of ASN.1 (X.690), limited to what certificates need. Each function returns one complete
 * element: tag, length and content.
 */

export function element(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(tag), encodeLength(content.length), content]);
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const bytes = bigEndian(BigInt(length));
  return Buffer.concat([Buffer.of(0x80 | bytes.length), bytes]);
}

/** Without leading zeros; zero is one byte. */
function bigEndian(value: bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => element(0x30, Buffer.concat(items));

/** DER orders the members of a set by their encodings. */
export const set = (...items: readonly Uint8Array[]): Buffer =>
  element(0x31, Buffer.concat([...items].sort(Buffer.compare)));

export const boolean = (value: boolean): Buffer => element(0x01, Buffer.of(value ? 0xff : 0x00));

/** Non-negative only. A zero byte is prepended if the first bit is set, because that would mean a negative number. */
export function integer(value: number | bigint): Buffer {
  if (value < 0) throw new RangeError('negative integers have no use in a certificate');
  const bytes = bigEndian(BigInt(value));
  return element(0x02, (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
}

export const octetString = (content: Uint8Array): Buffer => element(0x04, content);

/** Whole bytes only. */
export const bitString = (content: Uint8Array): Buffer => element(0x03, Buffer.concat([Buffer.of(0), content]));

/** Flags given by position, bit 0 first; trailing zero bits are omitted, as DER requires for named bits. */
export function namedBits(...positions: readonly number[]): Buffer {
  const highest = Math.max(-1, ...positions);
  const bytes = Buffer.alloc(Math.ceil((highest + 1) / 8));
  for (const position of positions) bytes[position >> 3]! |= 0x80 >> (position & 7);
  return element(0x03, Buffer.concat([Buffer.of(bytes.length * 8 - (highest + 1)), bytes]));
}

export const utf8String = (text: string): Buffer => element(0x0c, Buffer.from(text, 'utf8'));

/** `1.2.840.10045.4.3.2` */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0n, second = 0n, ...rest] = dotted.split('.').map(BigInt);
  return element(0x06, Buffer.concat([first * 40n + second, ...rest].map(base128)));
}

/** Seven bits to a byte, the high bit set on all but the last. */
function base128(value: bigint): Buffer {
  const bytes = [Number(value & 0x7fn)];
  for (let rest = value >> 7n; rest > 0n; rest >>= 7n) bytes.unshift(Number(rest & 0x7fn) | 0x80);
  return Buffer.from(bytes);
}

/** UTCTime up to 2049 and GeneralizedTime from 2050, as RFC 5280 requires; whole seconds. */
export function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/\.\d+|[-:T]/g, '');
  return Number(digits.slice(0, 4)) < 2050
    ? element(0x17, Buffer.from(digits.slice(2), 'latin1'))
    : element(0x18, Buffer.from(digits, 'latin1'));
}

/** `[number] EXPLICIT`: wraps a whole element. */
export const explicit = (number: number, content: Uint8Array): Buffer => element(0xa0 | number, content);

/** `[number] IMPLICIT` of a primitive type: takes the place of its tag. */
export const implicit = (number: number, content: Uint8Array): Buffer => element(0x80 | number, content);
