import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as der from '../../../src/kernel/tls/der.ts';

const hex = (bytes: Buffer) => bytes.toString('hex');

describe('DER', () => {
  it.each([
    ['an integer of zero', der.integer(0), '020100'],
    ['an integer of 127', der.integer(127), '02017f'],
    ['an integer of 128, with a zero so that it is not negative', der.integer(128), '02020080'],
    ['an integer of 256', der.integer(256), '02020100'],
    ['true', der.boolean(true), '0101ff'],
    ['false', der.boolean(false), '010100'],
    ['an octet string', der.octetString(Buffer.of(1, 2, 3)), '0403010203'],
    ['a bit string of whole bytes', der.bitString(Buffer.of(0x6e, 0x5d)), '0303006e5d'],
    ['named bits for signing certificates and lists', der.namedBits(5, 6), '03020106'],
    ['the first named bit', der.namedBits(0), '03020780'],
    ['a named bit in the second byte', der.namedBits(8), '0303070080'],
    ['no named bit', der.namedBits(), '030100'],
    ['text', der.utf8String('héé'), '0c0568c3a9c3a9'],
    ['an object identifier (RSA)', der.objectIdentifier('1.2.840.113549'), '06062a864886f70d'],
    ['an object identifier (ECDSA with SHA-256)', der.objectIdentifier('1.2.840.10045.4.3.2'), '06082a8648ce3d040302'],
    ['an object identifier with a large first pair', der.objectIdentifier('2.999.3'), '0603883703'],
    ['an empty sequence', der.sequence(), '3000'],
    ['a sequence', der.sequence(der.integer(1), der.boolean(true)), '30060201010101ff'],
    ['a set, ordered by its encodings', der.set(der.integer(2), der.integer(1)), '3106020101020102'],
    ['an explicit tag', der.explicit(0, der.integer(2)), 'a003020102'],
    ['an implicit tag', der.implicit(2, Buffer.from('a')), '820161'],
    ['a time of this century', der.time(Date.UTC(1991, 4, 6, 23, 45, 40)), '170d3931303530363233343534305a'],
    ['the last second of 2049', der.time(Date.UTC(2049, 11, 31, 23, 59, 59)), '170d3439313233313233353935395a'],
    ['the first second of 2050', der.time(Date.UTC(2050, 0, 1)), '180f32303530303130313030303030305a'],
  ])('writes %s', (_, bytes, expected) => {
    expect(hex(bytes)).toBe(expected);
  });

  it.each([
    [127, '047f'],
    [128, '048180'],
    [255, '0481ff'],
    [256, '04820100'],
    [65_536, '0483010000'],
  ])('writes a length of %i in as few bytes as possible', (length, header) => {
    expect(hex(der.octetString(Buffer.alloc(length))).slice(0, header.length)).toBe(header);
  });

  it('writes integers that read back as the same number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 160n }), (value) => {
        const bytes = der.integer(value);
        expect(bytes[1]).toBe(bytes.length - 2);
        expect(bytes[2]! & 0x80).toBe(0);
        expect(BigInt(`0x${bytes.subarray(2).toString('hex')}`)).toBe(value);
        // One bit more than the number has, for the sign.
        const bits = value === 0n ? 0 : value.toString(2).length;
        expect(bytes.length - 2, 'in as few bytes as possible').toBe(Math.floor(bits / 8) + 1);
      }),
      { examples: [[128n], [0n]] },
    );
  });

  it('refuses a negative integer', () => {
    expect(() => der.integer(-1)).toThrow(RangeError);
  });
});
