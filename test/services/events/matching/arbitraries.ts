import fc from 'fast-check';
import type { Json } from '../../../../src/kernel/store/types.ts';
import type { EventFilter } from '../../../../src/services/events/definition.ts';
import type { GridEvent, JsonObject } from '../../../../src/services/events/event.ts';
import { OPERATORS, type Operand } from '../../../../src/services/events/matching/operators.ts';
import { normalFilter } from '../../../../src/services/events/matching/validate.ts';
import { aCloudEvent, aCustomEvent, anEvent } from './samples.ts';

/** Few and similar, so that filters often match events. */
const WORDS = [
  '',
  'a',
  'A',
  'ab',
  'AB',
  'abc',
  'b',
  '/a/b',
  '/A/',
  'ς',
  'Σ',
  'İ',
  'Vendor.x',
  'Microsoft.x',
  '/providers/microsoft.x/a',
];
const NUMBERS = [0, -0, 1, 2, 2.5, -1, 1e300];
export const TYPES = ['t', 'T', 'u', 'Vendor.x', 'Microsoft.x', 'vendor.X'];
const NAMES = ['a', 'A', 'b', 'c', '__proto__', 'data', 'subject', 'ς'];
const KEYS = [
  'data',
  'data.a',
  'Data.A',
  'data.b',
  'data.a.b',
  'data.c',
  'data.__proto__',
  'data.data',
  'a',
  'b',
  'ext',
  'subject',
  'Type',
  'id',
  'source',
  'data.ς',
];

const word = fc.constantFrom(...WORDS);
const number = fc.constantFrom(...NUMBERS);

const operands: Readonly<Record<Operand, fc.Arbitrary<object>>> = {
  number: fc.record({ value: number }),
  boolean: fc.record({ value: fc.boolean() }),
  numbers: fc.record({ values: fc.array(number, { minLength: 1, maxLength: 3 }) }),
  ranges: fc.record({
    values: fc.array(
      fc.tuple(number, number).map(([a, b]) => (a <= b ? [a, b] : [b, a])),
      { minLength: 1, maxLength: 2 },
    ),
  }),
  strings: fc.record({ values: fc.array(word, { minLength: 1, maxLength: 3 }) }),
  none: fc.constant({}),
};

const advancedFilter: fc.Arbitrary<object> = fc
  .constantFrom(...OPERATORS, ...OPERATORS.filter(({ isNegative }) => !isNegative))
  .chain(({ name, operand }) =>
    fc.tuple(fc.constantFrom(...KEYS), operands[operand]).map(([key, rest]) => ({ operatorType: name, key, ...rest })),
  );

export const filters: fc.Arbitrary<EventFilter> = fc
  .record({
    subjectBeginsWith: fc.option(word),
    subjectEndsWith: fc.option(word),
    isSubjectCaseSensitive: fc.boolean(),
    includedEventTypes: fc.option(fc.array(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 })),
    enableAdvancedFilteringOnArrays: fc.boolean(),
    advancedFilters: fc.array(advancedFilter, { maxLength: 3 }),
  })
  .map(normalFilter);

const list = fc.array(fc.oneof(word, number, fc.boolean(), fc.constant(null)), { maxLength: 3 }) as fc.Arbitrary<Json>;

const { json } = fc.letrec<{ json: Json; object: JsonObject }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    word,
    number,
    fc.boolean(),
    fc.constant(null),
    list,
    tie('object') as fc.Arbitrary<Json>,
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom(...NAMES), tie('json')), { maxLength: 4 })
    // As `JSON.parse` reads it, with `__proto__` as an ordinary member.
    .map((members) =>
      JSON.parse(`{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`),
    ),
}));

/** Usually with values at the keys above. */
const data = fc.oneof(
  { weight: 1, arbitrary: json },
  {
    weight: 4,
    arbitrary: fc.record(
      { a: fc.oneof(json, list), b: fc.oneof(word, list), c: number, ς: word },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Json>,
  },
);

const own = fc.record({ type: fc.constantFrom(...TYPES), subject: word });

export const events: fc.Arbitrary<GridEvent> = fc.oneof(
  fc
    .tuple(own, fc.option(json, { nil: undefined }))
    .map(([own, data]) => anEvent({ ...own, ...(data !== undefined && { data }) })),
  fc.tuple(own, data, word, fc.boolean()).map(([{ type, subject }, data, ext, hasSubject]) => ({
    ...aCloudEvent({ ext, data, type, ...(hasSubject && { subject }) }),
    type,
  })),
  fc
    .tuple(own, fc.record({ data, a: json, b: json, subject: word, ς: word }, { requiredKeys: [] }))
    .map(([own, payload]) => ({ ...aCustomEvent(payload), ...own })),
);
