import { parse } from 'node:querystring';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseQuery } from '../../../src/kernel/http/query-string.ts';

const plain = (parameters: object): [string, unknown][] => Object.entries(parameters);

it.each([
  ['', []],
  ['&&', []],
  ['a', [['a', '']]],
  [
    'a=1&b=2',
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  ['a=1&a=2&a=3', [['a', ['1', '2', '3']]]],
  ['a+b=c%20d%2B', [['a b', 'c d+']]],
  ['a=b=c', [['a', 'b=c']]],
  ['=x', [['', 'x']]],
  ['a=%zz%e4%bd%a0', [['a', '%zz你']]],
  [
    '__proto__=1&constructor=2',
    [
      ['__proto__', '1'],
      ['constructor', '2'],
    ],
  ],
])('reads %j', (text, expected) => {
  expect(plain(parseQuery(text))).toEqual(expected);
});

it('inherits nothing', () => {
  expect(parseQuery('a=1').constructor).toBeUndefined();
  expect(parseQuery('a=1').toString).toBeUndefined();
});

it('reads whatever is sent as the parser of Node does', () => {
  const part = fc.oneof(
    fc.constantFrom('&', '=', '+', '%', '%4', '%41', '%e4%bd%a0', '%ff', '__proto__', 'a', 'b', '', ' ', '%26', '%3D'),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const text = parts.join('');
      expect(plain(parseQuery(text))).toEqual(plain(parse(text)));
    }),
    { numRuns: 3000 },
  );
});
