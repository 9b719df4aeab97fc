import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { quotedPrintable } from '../../../../src/services/mail/mime/encode.ts';
import { decodeQuotedPrintable } from '../../../../src/services/mail/mime/transfer.ts';

describe('quoted-printable', () => {
  it.each([
    ['', ''],
    ['a=b', 'a=3Db'],
    ['ends with a blank \r\n and a tab\t', 'ends with a blank=20\r\n and a tab=09'],
    ['é\u0000\r', '=C3=A9=00=0D'],
    ['x'.repeat(76), `${'x'.repeat(75)}=\r\nx`],
    [`${'x'.repeat(74)}é`, `${'x'.repeat(74)}=\r\n=C3=A9`],
  ])('of %j is %j', (text, written) => {
    expect(quotedPrintable(text).toString('latin1')).toBe(written);
  });

  test('has lines of at most 76 characters, and the text comes back', () => {
    const piece = fc.oneof(fc.constantFrom('\r\n', ' ', '\t', '=', '\r', '\n', '.'), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('').toWellFormed();
        const written = quotedPrintable(text);
        for (const line of written.toString('latin1').split('\r\n')) expect(line).toMatch(/^[\t -~]{0,76}$/);
        expect(decodeQuotedPrintable(written).toString()).toBe(text);
      }),
    );
  });

  it('of megabytes is written at once', () => {
    expect(quotedPrintable('=é'.repeat(5_000_000)).length).toBeGreaterThan(45_000_000);
  });
});
