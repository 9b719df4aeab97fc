import fc from 'fast-check';
import { expect, it } from 'vitest';
import { globMatches } from '../../../src/kernel/faults/glob.ts';

/** The meaning of a glob in its simplest form: tries everything, so only for short texts. */
function fits(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern[0] === '*') return fits(pattern.slice(1), text) || (text !== '' && fits(pattern, text.slice(1)));
  if (text === '') return false;
  return (pattern[0] === '?' || pattern[0] === text[0]) && fits(pattern.slice(1), text.slice(1));
}

it.each([
  ['/subscriptions/*', '/subscriptions/1/resourceGroups/g', true],
  ['/subscriptions/*', '/subscriptions', false],
  ['/SUBSCRIPTIONS/*', '/subscriptions/1', true],
  ['*', '', true],
  ['', '', true],
  ['', 'a', false],
  ['*/groups/?', '/a/b/groups/c', true],
  ['*/groups/?', '/a/b/groups/cc', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['**', 'anything', true],
  ["/api/v2.0/companies('*')/*", "/api/v2.0/companies('x')/items", true],
  ['/a.c', '/abc', false],
])('%j fits %j: %s', (pattern, text, expected) => {
  expect(globMatches(pattern, text)).toBe(expected);
});

it('means what the plain definition means', () => {
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '?'), maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 10 });
  fc.assert(
    fc.property(pattern, text, (p, t) => globMatches(p, t) === fits(p, t)),
    { numRuns: 5000 },
  );
});

it('does not look at case', () => {
  fc.assert(
    fc.property(fc.string(), (text) => globMatches(text.toUpperCase().replace(/[*?]/g, '?'), text.toUpperCase())),
  );
});

it('finishes on patterns that keep backtracking matchers busy', () => {
  const path = 'a'.repeat(16_000);
  for (const pattern of [
    `${'*a'.repeat(500)}b`,
    `${'*a*'.repeat(300)}b`,
    `*${'a'.repeat(1000)}b`,
    `${'*?'.repeat(500)}b`,
  ]) {
    expect(globMatches(pattern, path)).toBe(false);
    expect(globMatches(pattern, `${path}b`)).toBe(true);
  }
});
