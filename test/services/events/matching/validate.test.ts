import { describe, expect, it } from 'vitest';
import { OPERATORS } from '../../../../src/services/events/matching/operators.ts';
import { filterMistakes, normalFilter } from '../../../../src/services/events/matching/validate.ts';

const AT = 'properties.filter';
const DEFAULTS = { subjectBeginsWith: '', subjectEndsWith: '', isSubjectCaseSensitive: false };
const STRING_IN = { operatorType: 'StringIn', key: 'data.color', values: ['red'] };
const long = 'x'.repeat(513);

const strings = (count: number): string[] => Array.from({ length: count }, (_, i) => `v${i}`);
const one = (filter: unknown): object => ({ advancedFilters: [filter] });

const WRONG: readonly [what: string, filter: unknown, targets: readonly string[]][] = [
  ['a filter that is a string', 'x', ['']],
  ['a filter that is an array', [], ['']],
  ['a subject that is a number', { subjectBeginsWith: 5 }, ['.subjectBeginsWith']],
  ['an end of a subject that is an object', { subjectEndsWith: {} }, ['.subjectEndsWith']],
  ['case sensitivity that is a word', { isSubjectCaseSensitive: 'true' }, ['.isSubjectCaseSensitive']],
  ['a switch that is a number', { enableAdvancedFilteringOnArrays: 1 }, ['.enableAdvancedFilteringOnArrays']],
  ['event types that are a string', { includedEventTypes: 'All' }, ['.includedEventTypes']],
  ['an empty event type', { includedEventTypes: ['a', ''] }, ['.includedEventTypes[1]']],
  [
    'event types that are no strings',
    { includedEventTypes: [1, null] },
    ['.includedEventTypes[0]', '.includedEventTypes[1]'],
  ],
  ['advanced filters that are an object', { advancedFilters: {} }, ['.advancedFilters']],
  ['an advanced filter that is null', one(null), ['.advancedFilters[0]']],
  ['no operator', one({ key: 'data.a' }), ['.advancedFilters[0].operatorType']],
  ['an unknown operator', one({ ...STRING_IN, operatorType: 'StringLike' }), ['.advancedFilters[0].operatorType']],
  [
    'an operator that is inherited',
    one({ ...STRING_IN, operatorType: 'constructor' }),
    ['.advancedFilters[0].operatorType'],
  ],
  ['no key', one({ ...STRING_IN, key: undefined }), ['.advancedFilters[0].key']],
  ['an empty key', one({ ...STRING_IN, key: '' }), ['.advancedFilters[0].key']],
  ['a key that is null', one({ ...STRING_IN, key: null }), ['.advancedFilters[0].key']],
  ['neither key nor operator', one({}), ['.advancedFilters[0].key', '.advancedFilters[0].operatorType']],
  ['no values', one({ ...STRING_IN, values: null }), ['.advancedFilters[0].values']],
  ['an empty list of values', one({ ...STRING_IN, values: [] }), ['.advancedFilters[0].values']],
  [
    'a value instead of values',
    one({ operatorType: 'StringIn', key: 'a', value: 'b' }),
    ['.advancedFilters[0].values'],
  ],
  ['a number among strings', one({ ...STRING_IN, values: ['a', 1] }), ['.advancedFilters[0].values[1]']],
  ['null among strings', one({ ...STRING_IN, values: [null] }), ['.advancedFilters[0].values[0]']],
  ['a string of 513 characters', one({ ...STRING_IN, values: [long] }), ['.advancedFilters[0].values[0]']],
  [
    'a string among numbers',
    one({ operatorType: 'NumberIn', key: 'a', values: [1, '2'] }),
    ['.advancedFilters[0].values[1]'],
  ],
  [
    'values instead of a value',
    one({ operatorType: 'NumberLessThan', key: 'a', values: [1] }),
    ['.advancedFilters[0].value'],
  ],
  [
    'a numeric string as a number',
    one({ operatorType: 'NumberLessThan', key: 'a', value: '1' }),
    ['.advancedFilters[0].value'],
  ],
  [
    'a number that is none',
    one({ operatorType: 'NumberLessThan', key: 'a', value: Number.NaN }),
    ['.advancedFilters[0].value'],
  ],
  [
    'a number without end',
    one(JSON.parse('{"operatorType":"NumberIn","key":"a","values":[1e999]}')),
    ['.advancedFilters[0].values[0]'],
  ],
  ['a word as a boolean', one({ operatorType: 'BoolEquals', key: 'a', value: 'true' }), ['.advancedFilters[0].value']],
  ['null as a boolean', one({ operatorType: 'BoolEquals', key: 'a', value: null }), ['.advancedFilters[0].value']],
  [
    'a range of one',
    one({ operatorType: 'NumberInRange', key: 'a', values: [[1]] }),
    ['.advancedFilters[0].values[0]'],
  ],
  [
    'a range of three',
    one({ operatorType: 'NumberInRange', key: 'a', values: [[1, 2, 3]] }),
    ['.advancedFilters[0].values[0]'],
  ],
  [
    'a range upside down',
    one({
      operatorType: 'NumberInRange',
      key: 'a',
      values: [
        [0, 1],
        [2, 1],
      ],
    }),
    ['.advancedFilters[0].values[1]'],
  ],
  [
    'numbers instead of ranges',
    one({ operatorType: 'NumberNotInRange', key: 'a', values: [1, 2] }),
    ['.advancedFilters[0].values[0]', '.advancedFilters[0].values[1]'],
  ],
  [
    'a range of strings',
    one({ operatorType: 'NumberInRange', key: 'a', values: [['1', '2']] }),
    ['.advancedFilters[0].values[0]'],
  ],
  [
    '26 filters',
    { advancedFilters: strings(26).map((key) => ({ operatorType: 'IsNotNull', key })) },
    ['.advancedFilters'],
  ],
  ['26 values in one filter', one({ ...STRING_IN, values: strings(26) }), ['.advancedFilters']],
  [
    '26 values in several filters',
    {
      advancedFilters: [
        { ...STRING_IN, values: strings(20) },
        {
          operatorType: 'NumberInRange',
          key: 'b',
          values: [
            [1, 2],
            [3, 4],
            [5, 6],
          ],
        },
        ...strings(3).map((key) => ({ operatorType: 'NumberLessThan', key, value: 1 })),
      ],
    },
    ['.advancedFilters'],
  ],
];

const RIGHT: readonly [what: string, filter: unknown][] = [
  ['nothing at all', undefined],
  ['null', null],
  ['an empty object', {}],
  ['members that nobody knows', { colour: 5, advancedFilters: [{ ...STRING_IN, note: {} }] }],
  [
    'null for everything',
    {
      subjectBeginsWith: null,
      subjectEndsWith: null,
      isSubjectCaseSensitive: null,
      includedEventTypes: null,
      enableAdvancedFilteringOnArrays: null,
      advancedFilters: null,
    },
  ],
  ['25 filters of one value each', { advancedFilters: strings(25).map((key) => ({ ...STRING_IN, key })) }],
  ['25 filters without values', { advancedFilters: strings(25).map((key) => ({ operatorType: 'IsNotNull', key })) }],
  ['25 values in one filter', one({ ...STRING_IN, values: strings(25) })],
  ['a string of 512 characters', one({ ...STRING_IN, values: ['x'.repeat(512)] })],
  ['an empty string', one({ ...STRING_IN, values: [''] })],
  ['one key in several filters', { advancedFilters: [STRING_IN, { ...STRING_IN, operatorType: 'StringNotContains' }] }],
  ['a range of one point', one({ operatorType: 'NumberInRange', key: 'a', values: [[1, 1]] })],
  [
    'false and zero',
    {
      advancedFilters: [
        { operatorType: 'BoolEquals', key: 'a', value: false },
        { operatorType: 'NumberLessThan', key: 'a', value: 0 },
      ],
    },
  ],
  ['value null beside values', one({ ...STRING_IN, value: null })],
];

describe('a filter', () => {
  it.each(WRONG)('is refused for %s', (_, filter, targets) => {
    const mistakes = filterMistakes(filter, AT);
    expect(mistakes.map(({ target }) => target)).toEqual(targets.map((target) => AT + target));
    for (const { message } of mistakes) expect(message).toMatch(/^\S.*\.$/);
  });

  it.each(RIGHT)('may have %s', (_, filter) => {
    expect(filterMistakes(filter, AT)).toEqual([]);
    expect(normalFilter(filter)).toMatchObject({ subjectBeginsWith: '', subjectEndsWith: '' });
  });

  it('with very many values is refused without a mistake for each', () => {
    expect(filterMistakes(one({ ...STRING_IN, values: new Array(1_000_000).fill(5) }), AT)).toHaveLength(1);
    expect(filterMistakes({ advancedFilters: new Array(1_000_000).fill(5) }, AT)).toHaveLength(1);
  });

  it('names the limit that it breaks', () => {
    const [mistake] = filterMistakes(one({ ...STRING_IN, values: strings(26) }), AT);
    expect(mistake?.message).toBe('There are 26 values in all advanced filters together; there may be at most 25.');
  });

  it('lists all operators if an unknown one is used', () => {
    const [mistake] = filterMistakes(one({ ...STRING_IN, operatorType: 'StringLike' }), AT);
    for (const { name } of OPERATORS) expect(mistake?.message).toContain(name);
    expect(mistake?.message).toContain("'StringLike'");
  });
});

describe('a normalised filter', () => {
  it.each([
    undefined,
    null,
    {},
    { includedEventTypes: [], advancedFilters: [] },
    { includedEventTypes: ['All'] },
    { includedEventTypes: ['all'] },
  ])('has the defaults for %j', (filter) => {
    expect(normalFilter(filter)).toEqual(DEFAULTS);
  });

  it('keeps what was sent', () => {
    const filter = {
      subjectBeginsWith: '/a',
      subjectEndsWith: 'z',
      isSubjectCaseSensitive: true,
      includedEventTypes: ['All', 'Shop.OrderPlaced'],
      enableAdvancedFilteringOnArrays: false,
      advancedFilters: [STRING_IN],
    };
    expect(normalFilter(filter)).toEqual(filter);
  });

  it.each(OPERATORS.map(({ name }) => name))('has %s in its canonical case, whatever was sent', (name) => {
    const operand = {
      value: name === 'BoolEquals' ? true : 1,
      values: name.includes('Range') ? [[1, 2]] : name.startsWith('Number') ? [1] : ['a'],
    };
    for (const sent of [name.toLowerCase(), name.toUpperCase(), name]) {
      const filter = one({ operatorType: sent, key: 'Data.A', ...operand });
      expect(filterMistakes(filter, AT)).toEqual([]);
      expect(normalFilter(filter).advancedFilters?.[0]).toMatchObject({ operatorType: name, key: 'Data.A' });
    }
  });

  it('has only the operand that its operator needs', () => {
    const sent = { key: 'a', value: 1, values: ['b'], note: 'x' };
    const kept = ['IsNotNull', 'NumberLessThan', 'StringIn'].map(
      (operatorType) => normalFilter(one({ ...sent, operatorType })).advancedFilters?.[0],
    );
    expect(kept).toEqual([
      { operatorType: 'IsNotNull', key: 'a' },
      { operatorType: 'NumberLessThan', key: 'a', value: 1 },
      { operatorType: 'StringIn', key: 'a', values: ['b'] },
    ]);
  });

  it('is the same after being validated and normalised again', () => {
    for (const [, filter] of RIGHT) expect(normalFilter(normalFilter(filter))).toEqual(normalFilter(filter));
  });
});
