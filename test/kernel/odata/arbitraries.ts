import fc from 'fast-check';
import type { Literal, Node } from '../../../src/kernel/odata/ast.ts';
import { CALLS } from '../../../src/kernel/odata/calls.ts';
import { parseDuration, parseInstant, parseTime } from '../../../src/kernel/odata/literals.ts';
import { COLORS, type Sample } from './samples.ts';

const LETTERS = [
  ...'aAbBzZ09ßẞİıΣσςǅÿŸÄäéЖжͅ',
  ...[' ', '\t', '\n', '\u00a0', '\u2003', '\ufeff', '\u0000', '\ud83e', '\uded9', '🫙', '\u{10ffff}', "'", '%', '\\'],
];

/** Texts that some engine or parser could misinterpret. */
export const nastyTexts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    "'",
    "o'c",
    "''",
    'a',
    'A',
    'aa',
    'ab',
    'ß',
    'ẞ',
    'İ',
    'ΑΣ',
    'ﬁ',
    '\u0000',
    'a\u0000b',
    '\ud83e',
    'x\udc00',
    '🫙',
    'a🫙',
    '\ud7ff',
    '\ue000',
    '\u{10ffff}',
    '%',
    '_',
    '\\',
    '\ufeff a\u2003',
    '\u00a0x\n',
    'null',
    '2024-01-01',
  ),
  // Letters with every kind of case mapping, spaces of every kind, and lone surrogates. Not arbitrary letters, because engines support
  // different versions of Unicode.
  fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 6 }),
);

export const nastyNumbers = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 2, 0.5, -0.5, 1.5, 2.5, -2.5, 0.1, 0.49999999999999994, 2 ** 53, 2 ** 52 + 0.5, 1e-9),
  fc.constantFrom(1e308, -1e308, 5e-324, 1.7976931348623157e308, -62135596800001, 253402300800000, 86399999.5),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);

const instants = fc.oneof(nastyNumbers, fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }));
const days = fc.constantFrom('2024-02-29', '1969-12-31', '0001-01-01', '9999-12-31', 'nonsense', '');
const hours = fc.constantFrom('00:00:00.000', '23:59:59.999', '12:30:00.500', '12:30');
const guids = fc.constantFrom('3f2504e0-4f89-41d3-9a0c-0305e82c3301', '00000000-0000-0000-0000-000000000000');

export const sampleArbitrary: fc.Arbitrary<Sample> = fc.record(
  {
    name: fc.option(nastyTexts),
    owner: fc.option(nastyTexts),
    id: fc.option(guids),
    size: fc.option(fc.oneof(fc.integer({ min: -10, max: 10 }), fc.integer())),
    price: fc.option(nastyNumbers),
    on: fc.option(fc.boolean()),
    at: fc.option(instants),
    day: fc.option(days),
    hour: fc.option(hours),
    wait: fc.option(nastyNumbers),
    color: fc.option(fc.constantFrom(...COLORS)),
    tags: fc.array(nastyTexts, { maxLength: 3 }),
    place: fc.record({ city: fc.option(nastyTexts) }, { requiredKeys: [] }),
    lines: fc.array(fc.record({ id: nastyTexts, value: fc.integer({ min: -3, max: 3 }) }), { maxLength: 3 }),
    note: fc.option(nastyTexts),
  },
  { requiredKeys: [] },
);

const at = 0;
const integers = fc
  .integer()
  .map((value): Literal => ({ kind: 'literal', type: 'integer', value: value + 0, text: String(value), at }));
const decimals = nastyNumbers
  .filter((value) => !/^-?\d+$/.test(String(value)))
  .map((value): Literal => ({ kind: 'literal', type: 'decimal', value, text: String(value), at }));
const strings = nastyTexts.map((value): Literal => ({ kind: 'literal', type: 'string', value, at }));
const instantLiterals = fc
  .constantFrom('2024-02-29T13:45:59.25Z', '1969-12-31T23:59:59.999+14:00', '0001-01-01T00:00Z')
  .map((text): Literal => ({ kind: 'literal', type: 'instant', value: parseInstant(text)!, text, at }));
const durationLiterals = fc
  .constantFrom('PT0S', '-PT1.5S', 'P1DT1H', 'P10000D')
  .map((text): Literal => ({ kind: 'literal', type: 'duration', value: parseDuration(text)!, text, at }));
const dayLiterals = fc
  .constantFrom('2024-02-29', '1969-12-31')
  .map((text): Literal => ({ kind: 'literal', type: 'date', value: text, text, at }));
const hourLiterals = fc
  .constantFrom('12:30', '23:59:59.9999')
  .map((text): Literal => ({ kind: 'literal', type: 'time', value: parseTime(text)!, text, at }));
const guidLiterals = guids.map((value): Literal => ({ kind: 'literal', type: 'guid', value, at }));
const enumLiterals = fc
  .tuple(fc.constantFrom('Color', 'Vendor.Things.Color'), nastyTexts)
  .map(([name, value]): Literal => ({ kind: 'literal', type: 'enum', name, value, at }));
const words = fc.constantFrom<Literal>(
  { kind: 'literal', type: 'null', value: null, at },
  { kind: 'literal', type: 'boolean', value: true, at },
  { kind: 'literal', type: 'boolean', value: false, at },
  { kind: 'literal', type: 'decimal', value: Infinity, text: 'INF', at },
  { kind: 'literal', type: 'decimal', value: -Infinity, text: '-INF', at },
  { kind: 'literal', type: 'decimal', value: Number.NaN, text: 'NaN', at },
);
const literals: fc.Arbitrary<Literal> = fc.oneof(
  words,
  integers,
  decimals,
  strings,
  instantLiterals,
  durationLiterals,
  dayLiterals,
  hourLiterals,
  guidLiterals,
  enumLiterals,
);

const names = fc.constantFrom(
  'name',
  'Ünïcode_1',
  'year',
  'order',
  'android',
  'notes',
  'info',
  '$it',
  'x',
  'deadbeef',
  'e5',
);
const paths = fc
  .array(names, { minLength: 1, maxLength: 3 })
  .map((segments): Extract<Node, { kind: 'path' }> => ({ kind: 'path', segments, at }));

/** Any syntactically possible expression, meaningful or not. */
export const { node: anyNode } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'node' },
    literals,
    paths,
    fc.record({
      kind: fc.constant('junction' as const),
      operator: fc.constantFrom('and' as const, 'or' as const),
      args: fc.array(tie('node'), { minLength: 2, maxLength: 4 }),
      at: fc.constant(at),
    }),
    fc.record({
      kind: fc.constant('binary' as const),
      operator: fc.constantFrom(
        ...(['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'has', 'add', 'sub', 'mul', 'div', 'divby', 'mod'] as const),
      ),
      left: tie('node'),
      right: tie('node'),
      at: fc.constant(at),
    }),
    fc.record({
      kind: fc.constant('unary' as const),
      operator: fc.constantFrom('not' as const, 'negate' as const),
      operand: tie('node'),
      at: fc.constant(at),
    }),
    fc.record({
      kind: fc.constant('in' as const),
      operand: tie('node'),
      values: fc.array(literals, { maxLength: 3 }),
      at: fc.constant(at),
    }),
    fc.record({
      kind: fc.constant('call' as const),
      name: fc.constantFrom(...CALLS.keys()),
      args: fc.array(tie('node'), { maxLength: 3 }),
      at: fc.constant(at),
    }),
    fc.record({
      kind: fc.constant('lambda' as const),
      operator: fc.constantFrom('any' as const, 'all' as const),
      collection: paths,
      variable: names.filter((name) => !name.startsWith('$')),
      body: tie('node'),
      at: fc.constant(at),
    }),
    fc.record({
      kind: fc.constant('lambda' as const),
      operator: fc.constant('any' as const),
      collection: paths,
      at: fc.constant(at),
    }),
  ),
}));
