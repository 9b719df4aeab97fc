import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileFilter, compileOrder } from '../../../src/kernel/odata/compile.ts';
import { ODataError } from '../../../src/kernel/odata/errors.ts';
import { parseExpand, parseSelect } from '../../../src/kernel/odata/options.ts';
import { parseFilter } from '../../../src/kernel/odata/parser.ts';
import { print } from '../../../src/kernel/odata/print.ts';
import { anyNode } from './arbitraries.ts';
import { shape } from './samples.ts';

const numRuns = process.env.CLOUDJAR_SOAK === '1' ? 50_000 : 5000;

/** Removes positions, which differ between the two texts. */
const withoutPlaces = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, inner) =>
      key === 'at' ? undefined : typeof inner === 'number' ? String(inner) : inner,
    ),
  );

it('any expression that is written down is read as the same expression', () => {
  fc.assert(
    fc.property(anyNode, (node) => {
      const text = print(node);
      expect(withoutPlaces(parseFilter(text))).toEqual(withoutPlaces(node));
      expect(print(parseFilter(text))).toBe(text);
    }),
    { numRuns },
  );
});

const pieces = fc.constantFrom(
  ...[
    "'",
    '(',
    ')',
    ',',
    '/',
    ':',
    ';',
    '=',
    '*',
    '-',
    '$',
    '@',
    '.',
    ' ',
    '%',
    '\u0000',
    '\ud800',
    '1',
    '2024-01-01',
    'T',
  ],
  ...[
    'name',
    'size',
    'tags',
    'any',
    'all',
    'eq',
    'and',
    'or',
    'not',
    'in',
    'has',
    'add',
    'null',
    'contains',
    'duration',
    '$filter',
  ],
);
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
);

it('no text makes anything but an error with a place in it', () => {
  const readers = [
    (text: string) => compileFilter(shape, text, 0),
    (text: string) => compileOrder(shape, text),
    parseSelect,
    parseExpand,
  ];
  fc.assert(
    fc.property(texts, (text) => {
      for (const read of readers) {
        try {
          read(text);
        } catch (error) {
          if (!(error instanceof ODataError)) throw error;
          expect(error.position).toBeGreaterThanOrEqual(0);
          expect(error.position).toBeLessThanOrEqual(text.length);
          expect(error.message.isWellFormed()).toBe(true);
        }
      }
    }),
    { numRuns, examples: [["duration'\ud800'"]] },
  );
});
