import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { compileQuery } from '../../../../src/services/datasets/language/index.ts';
import { ENGINES, QueryStore } from './query-store.ts';
import { modelOf } from './sample.ts';

const LARGE = 9_223_372_036_854_775_806n;
const HUGE = 1e308;

const MODEL = modelOf(
  'bounds',
  {
    F: { columns: { k: 'int64', i: 'int64', r: 'double', c: 'decimal', s: 'text' } },
  },
  [],
);
const ROWS = {
  F: [
    [1, LARGE, HUGE, LARGE, 'A'],
    [2, 5, 0.5, 1, 'a '],
    [3, null, null, null, null],
  ],
};

const times = (count: number, write: (place: number) => string, between = ' '): string =>
  Array.from({ length: count }, (_, place) => write(place)).join(between);

/** Expressions and their values. */
const VALUES: readonly (readonly [expression: string, value: unknown])[] = [
  // Doubles overflow to infinity, which is null in JSON, and underflow to zero.
  ['MAX(F[r]) * 10', null],
  ['1e308 + 1e308', null],
  ['DIVIDE(1e308, 1e-10)', null],
  ['1e-300 * 1e-300', 0],
  ['1e-320 / 1e10', 0],
  // A branch that is not taken must not fail.
  ['IF(COUNTROWS(F) > 9, 9223372036854775807 + 1, 0)', 0],
  ['IF(COUNTROWS(F) > 9, 9223372036854775807 * 9, 0)', 0],
  ['IF(COUNTROWS(F) > 9, 1e308 * 10, 0)', 0],
  // Halves of a ten-thousandth round away from zero.
  ['SUMX(FILTER(F, F[k] = 2), F[c] * 0.5)', 0.0001],
  ['SUMX(FILTER(F, F[k] = 2), F[c] / 2)', 0.0001],
  // Variants.
  ['IF(COUNTROWS(F) = 3, TRUE, 1) = TRUE', true],
  ['IF(COUNTROWS(F) = 3, "A ", 1) IN { "a" }', true],
  ['COUNTROWS(DISTINCT(SELECTCOLUMNS(F, "v", IF(F[k] < 3, F[s], 1))))', 2],
  // Deep nesting and many names.
  [`${'MOD('.repeat(30)}COUNTROWS(F) + 0${', 7)'.repeat(30)}`, 3],
  [`${times(40, (i) => `VAR v${i} = ${i === 0 ? 0 : `v${i - 1}`} + SUM(F[k]) + COUNTROWS(F) * 2`)} RETURN v39`, 480],
  [`COUNTROWS({ ${times(700, (i) => `"${i}"`, ', ')} })`, 700],
  ['LEN("a\u0000b")', 3],
];

/** Cut, because some expressions are too long for a title. */
const titled = <T>([expression, expected]: readonly [string, T]) =>
  [JSON.stringify(expression.slice(0, 60)), expression, expected] as const;

const TOO_LARGE = /too large for a (whole|fixed decimal) number/;

const FAILURES: readonly (readonly [expression: string, message: RegExp])[] = [
  ['COUNTROWS(FILTER(F, F[i] * 3 > 0))', TOO_LARGE],
  ['SUMX(F, F[i] * 3 - F[i] * 3)', TOO_LARGE],
  ['IF(MAX(F[i]) + 10 > 0, 1, 2)', TOO_LARGE],
  ['MAX(F[c]) * 1000', TOO_LARGE],
  ['MAX(F[c]) + MAX(F[c])', TOO_LARGE],
  ['MAX(F[c]) * 1.5', TOO_LARGE],
  ['dt"9999-12-31" + 1', /not a date/],
  ['dt"2024-01-05" + 1/0', /not a date/],
  [`1${' IN { 1 }'.repeat(3000)}`, /too many operators in a row/],
  [`1 IN { ${times(40_000, String, ', ')} }`, /more than 32000 constants/],
  [
    `${times(60, (i) => `VAR v${i} = ${i === 0 ? 'REPT("a", 50)' : `v${i - 1} & v${i - 1}`}`)} RETURN LEN(v59)`,
    /too long/,
  ],
  ['1 /*'.padEnd(1_100_000, '*'), /longer than 1000000 characters/],
  ['*'.repeat(300_000), /too complex/],
];

describe.each(ENGINES)('what a query cannot pass, on %s', (engine) => {
  let store: QueryStore;
  const ask = (expression: string) => store.ask(MODEL, `EVALUATE ROW("x", ${expression})`);

  beforeEach(async (context) => {
    if (store) return;
    store = await QueryStore.open(engine, context);
    await store.lay(MODEL, ROWS);
  });
  afterAll(() => store?.close());

  it.each(VALUES.map(titled))('%s', async (_, expression, value) => {
    expect(await ask(expression)).toEqual([{ '[x]': value }]);
  });

  it.each(FAILURES.map(titled))('refuses %s', async (_, expression, message) => {
    await expect(ask(expression)).rejects.toThrow(message);
    // Repeated, because the failed statement is then cached.
    await expect(ask(expression)).rejects.toThrow(message);
  });

  it('orders values of any type: numbers by size, then texts, then true and false', async () => {
    const value =
      'IF([Value] < 3, -[Value] * 10, IF([Value] = 3, "b", IF([Value] = 4, "A", IF([Value] = 5, TRUE, 2.5))))';
    const rows = await store.ask(MODEL, `EVALUATE SELECTCOLUMNS({ 1, 2, 3, 4, 5, 6 }, "v", ${value}) ORDER BY [v]`);
    expect(rows.map((row) => row['[v]'])).toEqual([-20, -10, 2.5, 'A', 'b', true]);
  });
});

describe('on SQLite, which stops a statement only where it checks the time limit', () => {
  const sqlOf = (query: string): string =>
    compileQuery(MODEL, `EVALUATE ${query}`, { engine: 'sqlite', now: 0, sqlName: (name) => name }).statement.text;

  it.each([
    'FILTER(F, VAR a = F[k] RETURN ISEMPTY(FILTER(ALL(F), F[k] > a)))',
    'FILTER(F, VAR a = F[k] RETURN a IN SELECTCOLUMNS(FILTER(ALL(F), F[i] > a), "x", F[k]))',
    'FILTER(F, VAR a = F[k] RETURN CALCULATE(ISEMPTY(F), ADDCOLUMNS(FILTER(ALL(F), F[k] > a), "y", 1)))',
  ])('%s looks at it for every row', (query) => {
    expect(sqlOf(query)).toMatch(/CASE WHEN tick\(\) = 1 THEN [\s\S]*(EXISTS|IN) \(SELECT/);
  });

  it.each(['FILTER(F, F[k] IN VALUES(F[i]))', 'CALCULATETABLE(F, ADDCOLUMNS(FILTER(ALL(F), F[k] > 1), "y", 1))'])(
    '%s need not: what is within it is made once',
    (query) => {
      expect(sqlOf(query)).not.toContain('tick()');
    },
  );
});
