import { describe, expect, it } from 'vitest';
import { isLike } from '../../../src/kernel/store/like.ts';

describe('LIKE', () => {
  it.each<[string, string, boolean]>([
    ['abc', 'abc', true],
    ['abc', 'ABC', false],
    ['abc', 'a_c', true],
    ['abc', 'b', false],
    ['abc', '%b%', true],
    ['abc', 'a%', true],
    ['abc', '%a', false],
    ['abc', 'a%c', true],
    ['ab', 'ab%b', false],
    ['', '%', true],
    ['', '%%', true],
    ['', '', true],
    ['a', '', false],
    ['', '_', false],
    ['a😀c', 'a_c', true],
    ['a.c', 'a.c', true],
    ['abc', 'a.c', false],
    ['a\\%c', 'a\\%c', true],
    ['aab', '%ab', true],
    ['aaab', '%a_b%', true],
    ['a\nb', 'a_b', true],
    ['xaxbxc', '%a%b%c', true],
    ['xaxcxb', '%a%b%c%', false],
  ])('%j by %j: %s', (text, pattern, expected) => {
    expect(isLike(text, pattern)).toBe(expected);
  });

  it('looks for pieces of any length', () => {
    for (const length of [30, 31, 32, 61, 62, 63, 100]) {
      const piece = 'ab_d'.repeat(40).slice(0, length);
      const there = 'abcd'.repeat(40).slice(0, length);
      expect(isLike(`ab${there}x${there}`, `%${piece}%x%`)).toBe(true);
      expect(isLike(`-${there.slice(1)}x`, `%${piece}x%`)).toBe(false);
    }
  });

  it('no pattern makes it start over for every character', () => {
    // Trying every position would take 64,000,000 steps; this takes about 2,000,000.
    expect(isLike('a'.repeat(8000), `%${'a'.repeat(4000)}b%${'_'.repeat(3000)}`)).toBe(false);
    expect(isLike('a'.repeat(100_000), `${'%a'.repeat(50_000)}%b`)).toBe(false);
  });
});
