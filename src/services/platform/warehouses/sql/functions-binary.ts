import { boundedText } from './bounded-text.ts';
import type { Known, Plain } from './functions.ts';
import { problems } from './problem.ts';
import { simple } from './types.ts';

const bytesOf = (value: Known): Buffer => Buffer.from(String(value), 'latin1');

const writtenAs = (encoding: 'hex' | 'base64'): Plain => ({
  takes: ['BINARY'],
  gives: simple('STRING'),
  of(value) {
    const text = bytesOf(value).toString(encoding);
    return boundedText([encoding === 'hex' ? text.toUpperCase() : text]);
  },
});

/** The bytes of hexadecimal digits; undefined if the text is not hexadecimal. */
export const bytesOfHex = (digits: string): string | undefined =>
  /^[0-9a-f]*$/i.test(digits)
    ? Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex').toString('latin1')
    : undefined;

export const BINARIES: Readonly<Record<string, Plain>> = {
  hex: writtenAs('hex'),
  base64: writtenAs('base64'),
  unhex: { takes: ['STRING'], gives: simple('BINARY'), of: (text) => bytesOfHex(String(text)) ?? null },
  unbase64: {
    takes: ['STRING'],
    gives: simple('BINARY'),
    of(text) {
      const digits = String(text).replace(/\s+/g, '');
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(digits)) throw problems.badCast(String(text), 'STRING', 'BINARY');
      return Buffer.from(digits, 'base64').toString('latin1');
    },
  },
};
