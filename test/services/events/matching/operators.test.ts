import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../src/kernel/store/types.ts';
import { compileFilter } from '../../../../src/services/events/matching/compile.ts';
import { OPERATORS } from '../../../../src/services/events/matching/operators.ts';
import { advanced, anEvent } from './samples.ts';

interface Row {
  readonly operand: { readonly value: unknown } | { readonly values: readonly unknown[] } | Record<string, never>;
  /** Values of `data.it` that match, and values that do not. */
  readonly yes: readonly Json[];
  readonly no: readonly Json[];
  readonly absent: boolean;
  /** With `enableAdvancedFilteringOnArrays`. */
  readonly yesArrays: readonly Json[];
  readonly noArrays: readonly Json[];
}

const ROWS: Readonly<Record<string, Row>> = {
  NumberIn: {
    operand: { values: [5, 1] },
    yes: [5, 1, 1.0],
    no: [2, '5', true, { it: 5 }, [5]],
    absent: false,
    yesArrays: [[5], [2, 'x', 1]],
    noArrays: [[], [2], ['5'], [[5]], [{ it: 5 }]],
  },
  NumberNotIn: {
    operand: { values: [41, 0] },
    yes: [40, -41, '41', true, {}],
    no: [41, 0],
    absent: true,
    yesArrays: [[], [1, 2], ['41'], [[41]]],
    noArrays: [[41], [1, 2, 0]],
  },
  NumberLessThan: {
    operand: { value: 100 },
    yes: [99, 99.999, -1e300],
    no: [100, 101, '99', false],
    absent: false,
    yesArrays: [[200, 99]],
    noArrays: [[], [100], ['1']],
  },
  NumberLessThanOrEquals: {
    operand: { value: 100 },
    yes: [100, 99],
    no: [100.001, '100'],
    absent: false,
    yesArrays: [[200, 100]],
    noArrays: [[101], [null]],
  },
  NumberGreaterThan: {
    operand: { value: 20 },
    yes: [20.5, 21],
    no: [20, 19, '21'],
    absent: false,
    yesArrays: [[1, 21]],
    noArrays: [[20], []],
  },
  NumberGreaterThanOrEquals: {
    operand: { value: 30 },
    yes: [30, 31],
    no: [29.999, '30', true],
    absent: false,
    yesArrays: [[30]],
    noArrays: [[29], ['30']],
  },
  NumberInRange: {
    operand: {
      values: [
        [3.5, 999.95],
        [3000, 4000],
      ],
    },
    yes: [3.5, 500, 999.95, 3000, 4000],
    no: [3.49, 999.96, 2999, 4001, '500'],
    absent: false,
    yesArrays: [[1, 3500]],
    noArrays: [[1, 2000], []],
  },
  NumberNotInRange: {
    operand: {
      values: [
        [3.5, 999.95],
        [3000, 4000],
      ],
    },
    yes: [3.49, 2000, 4001, '500'],
    no: [3.5, 999.95, 3500],
    absent: true,
    yesArrays: [[1, 2000], ['500'], []],
    noArrays: [[1, 3500]],
  },
  BoolEquals: {
    operand: { value: true },
    yes: [true],
    no: [false, 'true', 1],
    absent: false,
    yesArrays: [[false, true]],
    noArrays: [[false], ['true'], []],
  },
  StringIn: {
    operand: { values: ['Green', 'blue'] },
    yes: ['green', 'GREEN', 'Blue'],
    no: ['red', 'greenish', '', 7, { a: 'green' }, ['green']],
    absent: false,
    yesArrays: [
      ['red', 'GREEN'],
      [1, 'blue'],
    ],
    noArrays: [['red'], [], [{ color: 'green' }], [['green']]],
  },
  StringNotIn: {
    operand: { values: ['aws', 'bridge'] },
    yes: ['azure', 'awsome', 7],
    no: ['aws', 'BRIDGE'],
    absent: true,
    yesArrays: [[], ['x', 'y'], [1]],
    noArrays: [['x', 'Aws']],
  },
  StringBeginsWith: {
    operand: { values: ['event', 'message'] },
    yes: ['event hubs', 'EVENT', 'Messages'],
    no: ['an event', 'even', '', 5],
    absent: false,
    yesArrays: [['x', 'Event 1']],
    noArrays: [['x'], []],
  },
  StringNotBeginsWith: {
    operand: { values: ['event', 'message'] },
    yes: ['an event', '', 5],
    no: ['event hubs', 'MESSAGE'],
    absent: false,
    yesArrays: [['x', 'an event'], [], [5]],
    noArrays: [['x', 'Event 1']],
  },
  StringEndsWith: {
    operand: { values: ['jpg', 'png'] },
    yes: ['a.PNG', 'jpg'],
    no: ['jpg.txt', 'pg', 5],
    absent: false,
    yesArrays: [['x', 'a.png']],
    noArrays: [['x'], []],
  },
  StringNotEndsWith: {
    operand: { values: ['jpg', 'png'] },
    yes: ['jpg.txt', ''],
    no: ['a.PNG', 'jpg'],
    absent: false,
    yesArrays: [['x'], []],
    noArrays: [['x', 'a.png']],
  },
  StringContains: {
    operand: { values: ['data', 'factory'] },
    yes: ['my DATA', 'factory', 'a factory of data'],
    no: ['dat', 'fact', '', 5],
    absent: false,
    yesArrays: [['x', 'my data']],
    noArrays: [['x'], []],
  },
  StringNotContains: {
    operand: { values: ['contoso', 'fabrikam'] },
    yes: ['con', '', 5],
    no: ['my Contoso', 'fabrikam'],
    absent: false,
    yesArrays: [['x', 'y'], []],
    noArrays: [['x', 'my contoso']],
  },
  IsNotNull: {
    operand: {},
    yes: ['', 0, false, {}, []],
    no: [],
    absent: false,
    yesArrays: [[], [null], [1]],
    noArrays: [],
  },
  IsNullOrUndefined: {
    operand: {},
    yes: [],
    no: ['', 0, false, {}, []],
    absent: true,
    yesArrays: [],
    noArrays: [[], [null], [1]],
  },
};

const shown = JSON.stringify;

describe.each(Object.entries(ROWS))('%s', (operatorType, row) => {
  const filter = { operatorType, key: 'data.it', ...row.operand };
  const scalars = compileFilter(advanced(filter));
  const arrays = compileFilter(advanced(filter, true));
  const withIt = (it: Json) => anEvent({ data: { it } });
  const cases = (title: string, values: readonly Json[], check: (it: Json) => void): void => {
    for (const value of values) it(`${title} ${shown(value)}`, () => check(value));
  };

  cases('matches', row.yes, (value) => expect(scalars.matches(withIt(value))).toBe(true));
  cases('does not match', row.no, (value) => expect(scalars.matches(withIt(value))).toBe(false));
  cases('matches the elements of', row.yesArrays, (value) => expect(arrays.matches(withIt(value))).toBe(true));
  cases('does not match the elements of', row.noArrays, (value) => expect(arrays.matches(withIt(value))).toBe(false));

  it('gives the same result for scalars when it may look into arrays', () => {
    for (const value of [...row.yes, ...row.no].filter((each) => !Array.isArray(each)))
      expect(arrays.matches(withIt(value))).toBe(scalars.matches(withIt(value)));
  });

  it(`${row.absent ? 'matches' : 'does not match'} an event without the key, or with null there`, () => {
    const lacking = [
      anEvent({ data: {} }),
      anEvent(),
      anEvent({ data: null }),
      anEvent({ data: 'text' }),
      anEvent({ data: [{ it: 1 }] }),
      withIt(null),
    ];
    for (const event of lacking) {
      expect(scalars.matches(event)).toBe(row.absent);
      expect(arrays.matches(event)).toBe(row.absent);
    }
  });

  it('gives a reason exactly when it does not match', () => {
    for (const value of [...row.yes, ...row.no, ...row.yesArrays, ...row.noArrays, null]) {
      for (const filter of [scalars, arrays])
        expect(filter.refusal(withIt(value)) === undefined).toBe(filter.matches(withIt(value)));
    }
  });
});

it('every operator has a row here', () => {
  expect(Object.keys(ROWS).sort()).toEqual(OPERATORS.map(({ name }) => name).sort());
});

describe('without enableAdvancedFilteringOnArrays', () => {
  it('an array is a value of another type: it equals nothing, so that only the opposite of equality matches', () => {
    const positive = compileFilter(advanced({ operatorType: 'StringIn', key: 'data.it', values: ['a'] }));
    const negative = compileFilter(advanced({ operatorType: 'StringNotIn', key: 'data.it', values: ['a'] }));
    expect(positive.matches(anEvent({ data: { it: ['a'] } }))).toBe(false);
    expect(negative.matches(anEvent({ data: { it: ['a'] } }))).toBe(true);
  });
});

describe('several advanced filters', () => {
  const both = {
    advancedFilters: [
      { operatorType: 'NumberGreaterThan', key: 'data.n', value: 1 },
      { operatorType: 'NumberLessThan', key: 'data.n', value: 5 },
      { operatorType: 'StringIn', key: 'data.color', values: ['red', 'green'] },
    ],
  };
  it.each([
    [{ n: 3, color: 'red' }, true],
    [{ n: 3, color: 'GREEN' }, true],
    [{ n: 3, color: 'blue' }, false],
    [{ n: 5, color: 'red' }, false],
    [{ n: 1, color: 'red' }, false],
    [{ color: 'red' }, false],
  ])('all have to match, one value of each is enough: %j %j', (data, expected) => {
    expect(compileFilter({ ...advanced(both.advancedFilters[0]!), ...both }).matches(anEvent({ data }))).toBe(expected);
  });
});
