import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../../../src/services/events/matching/fold.ts';

describe('comparing without regard to case', () => {
  it.each([
    ['Red', 'rED'],
    ['ÄÖÜ', 'äöü'],
    ['ΑΣ', 'ασ'],
    ['ΑΣ', 'ας'],
    ['ЖУК', 'жук'],
    ['𐐀', '𐐨'],
    ['', ''],
  ])('%j is %j', (a, b) => {
    expect(fold(a)).toBe(fold(b));
  });

  it.each([
    ['İ', 'i'],
    ['İ', 'i̇'],
    ['ı', 'I'],
    ['ß', 'SS'],
    ['ſ', 's'],
    ['\u212a', 'k'],
    ['é', 'e'],
  ])('%j is not %j', (a, b) => {
    expect(fold(a)).not.toBe(fold(b));
  });

  const text = fc.string({ unit: 'binary' });

  it('keeps the length, and what a text begins with, ends with and contains', () => {
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        const whole = fold(a + b + c);
        expect(whole).toBe(fold(a) + fold(b) + fold(c));
        expect(whole).toHaveLength(a.length + b.length + c.length);
        expect(fold(whole)).toBe(whole);
      }),
      { numRuns: 2000 },
    );
  });

  it('is the lower case of ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (ascii) => {
        expect(fold(ascii)).toBe(ascii.toLowerCase());
      }),
    );
  });
});
