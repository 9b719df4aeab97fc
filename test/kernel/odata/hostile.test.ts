import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/kernel/odata/ast.ts';
import { compileFilter } from '../../../src/kernel/odata/compile.ts';
import { ODataError } from '../../../src/kernel/odata/errors.ts';
import { Evaluator } from '../../../src/kernel/odata/evaluate.ts';
import { parseFilter } from '../../../src/kernel/odata/parser.ts';
import { print } from '../../../src/kernel/odata/print.ts';
import { scanPage } from '../../../src/kernel/odata/scan.ts';
import type { Stored } from '../../../src/kernel/store/types.ts';
import { bothEngines, openWith, type Sample, samples, shape } from './samples.ts';

const outcome = (text: string): string => {
  try {
    print(parseFilter(text));
    compileFilter(shape, text, 0);
    return 'taken';
  } catch (error) {
    if (error instanceof ODataError) return error.code;
    throw error;
  }
};

/** Fills an option up to the maximum length. */
const filled = (part: string): string => part.repeat(Math.floor(LIMITS.length / part.length));

describe('is refused, and quickly', () => {
  it.each([
    ['a literal of a million characters', `name eq '${'x'.repeat(1_000_000)}'`, 'TooLong'],
    ['ten thousand parentheses', '('.repeat(10_000), 'TooDeep'],
    ['ten thousand closed parentheses', `${'('.repeat(10_000)}on${')'.repeat(10_000)}`, 'TooDeep'],
    ['ten thousand times not', `${'not '.repeat(10_000)}on`, 'TooDeep'],
    ['ten thousand minuses', `${'- '.repeat(10_000)}size eq 1`, 'TooDeep'],
    ['calls inside calls', `${'trim('.repeat(10_000)}name`, 'TooDeep'],
    ['lambdas inside lambdas', 'lines/any(l:'.repeat(5000), 'TooDeep'],
    ['five lambdas inside each other', `${'lines/any(l:'.repeat(5)}on${')'.repeat(5)}`, 'TooDeep'],
    ['an endless sum', `size eq 1${' add 1'.repeat(10_000)}`, 'TooComplex'],
    ['an endless row of comparisons', `size${' eq 1'.repeat(10_000)}`, 'TooComplex'],
    ['an endless row of or', `on${' or on'.repeat(10_000)}`, 'TooComplex'],
    ['a list of ten thousand and one', `size in (1${',1'.repeat(10_000)})`, 'TooComplex'],
    ['a path of ten thousand', `a${'/a'.repeat(10_000)} eq 1`, 'TooComplex'],
    ['a number of many digits', `size eq ${'9'.repeat(60_000)}`, 'InvalidValue'],
    ['a fraction of many digits', `size eq 0.${'9'.repeat(60_000)}`, 'InvalidValue'],
    ['nothing but quotes, an odd number', `name eq ${"'".repeat(60_001)}`, 'Syntax'],
    ['nothing but letters', filled('a'), 'UnknownProperty'],
    ['nothing but digits and dashes', filled('1-'), 'Syntax'],
    ['nothing but blanks', filled(' '), 'Syntax'],
    ['nothing but dots', `a${filled('.a').slice(2)}`, 'NotSupported'],
    ['a guid that never ends', filled('0'), 'InvalidValue'],
    ['a duration that never ends', `wait eq duration'P${'9'.repeat(60_000)}D'`, 'InvalidValue'],
  ])('%s', (_what, text, code) => {
    expect(outcome(text)).toBe(code);
  });
});

it('a filter that multiplies the elements of a document with each other is ended', () => {
  const lines = Array.from({ length: 200 }, (_, i) => ({ id: `l${i}`, value: i }));
  const text = 'lines/all(a:lines/all(b:lines/all(c:lines/all(d:a/value add b/value add c/value ge 0))))';
  const { predicate } = compileFilter(shape, text, 0);
  const evaluator = new Evaluator(samples);
  expect(evaluator.matches(predicate, { lines: lines.slice(0, 5) })).toBe(true);
  expect(() => evaluator.matches(predicate, { lines })).toThrow(expect.objectContaining({ code: 'TooComplex' }));
});

/** Filters at different limits. */
const LARGEST = [
  `${'('.repeat(LIMITS.depth)}on${')'.repeat(LIMITS.depth)}`,
  `${'not '.repeat(LIMITS.depth)}on`,
  `size eq 1${' add 1'.repeat(LIMITS.chain)}`,
  `on${' or on'.repeat(LIMITS.nodes - 2)}`,
  `on${' and on'.repeat(LIMITS.nodes - 2)}`,
  `size eq 0${Array.from({ length: 650 }, (_, i) => ` or size eq ${i}`).join('')}`,
  `size ne 0${Array.from({ length: 650 }, (_, i) => ` and size ne ${i}`).join('')}`,
  `size add 1 eq 0${Array.from({ length: 390 }, (_, i) => ` or size add ${i} eq 2`).join('')}`,
  `(size add 1) in (${Array.from({ length: 9900 }, (_, i) => i).join()})`,
  `size in (${Array.from({ length: 9900 }, (_, i) => i).join()})`,
  `size gt 0${Array.from({ length: 650 }, (_, i) => ` or size gt ${i}`).join('')}`,
  `on${Array.from({ length: 390 }, (_, i) => ` or startswith(name,'${i}')`).join('')}`,
  `name eq '${'x'.repeat(LIMITS.length - 100)}'`,
  `${'trim('.repeat(99)}name${')'.repeat(99)} eq 'x'`,
  `${'(size add 1 add '.repeat(99)}1${')'.repeat(99)} gt 1`,
];

describe('the largest filters that are taken', () => {
  it.for(bothEngines.map((engine) => [engine.name, engine] as const))(
    'are answered by %s',
    async ([, engine], context) => {
      const store = await openWith(engine, context, new Map([['a', { name: 'x', size: 1, on: true }]]));
      const evaluator = new Evaluator(samples);
      // Ordering by three fields repeats the filter for each way in which a row can follow the position.
      const order = ['name', 'size', 'on'].map((field) => ({ field, descending: true }));
      for (const text of LARGEST) {
        const { filter, residual, predicate } = compileFilter(shape, text, 0);
        const keysOf = (items: readonly Stored<Sample>[]) =>
          items.filter(({ value }) => !residual || evaluator.matches(residual, value)).map(({ key }) => key);
        const expected = evaluator.matches(predicate, { name: 'x', size: 1, on: true }) ? ['a'] : [];
        const { items } = await store.query(samples, { filter, limit: 5 });
        expect([text.slice(0, 60), keysOf(items)]).toEqual([text.slice(0, 60), expected]);
        const later = await store.query(samples, { filter, order, after: ['y', 1, null, 'b'], limit: 5 });
        expect([text.slice(0, 60), keysOf(later.items)]).toEqual([text.slice(0, 60), expected]);
      }
    },
  );
});

const many = (count: number, part: (i: number) => string, between: string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(between);

describe('what the store would take long over for every document', () => {
  it.each([
    ['functions inside each other', `${'toupper('.repeat(20)}name${')'.repeat(20)} eq 'X'`],
    ['a long row of functions', many(20, (i) => `contains(tolower(name),'${i}')`, ' or ')],
    ['a long row of comparisons', many(300, (i) => `contains(name,'${i}')`, ' or ')],
  ])('is looked at in memory: %s', (_what, text) => {
    expect(compileFilter(shape, text, 0)).toMatchObject({
      filter: undefined,
      residual: expect.anything(),
      heavy: true,
    });
    expect(compileFilter(shape, `on and (${text})`, 0)).toMatchObject({
      filter: { op: 'eq', field: 'on' },
      heavy: true,
    });
    const refused = { ...shape, scan: 'refused' } as const;
    expect(() => compileFilter(refused, text, 0)).toThrow(expect.objectContaining({ code: 'TooComplex' }));
  });

  it('is not a list of values, or a row that is one', () => {
    const values = many(5000, (i) => `'${i}'`, ',');
    expect(compileFilter(shape, `name in (${values})`, 0).residual).toBeUndefined();
    expect(compileFilter(shape, `tags/any(t: t in (${values}))`, 0).filter).toMatchObject({ op: 'hasAny' });
    const row = many(250, (i) => `tags/any(t: t eq '${i}')`, ' or ');
    expect(compileFilter(shape, row, 0)).toMatchObject({
      filter: { op: 'or', args: [{ op: 'hasAny' }] },
      heavy: false,
    });
  });

  it('ends a page early, and the next page continues after it', async (context) => {
    const documents = new Map(
      Array.from({ length: 1500 }, (_, i) => [`k${String(i).padStart(4, '0')}`, { name: `n${i}` }]),
    );
    const store = await openWith(bothEngines[0]!, context, documents);
    const filter = `${many(19, (i) => `${'trim('.repeat(95)}name${')'.repeat(95)} eq 'q${i}'`, ' or ')} or name eq 'n1499'`;
    const { residual } = compileFilter(shape, filter, 0);
    const first = await scanPage(store, shape, {}, residual!, {}, 10);
    expect(first.items).toEqual([]);
    expect(first.next).toBeDefined();
    let { items, next } = first;
    while (next) ({ items, next } = await scanPage(store, shape, {}, residual!, next, 10));
    expect(items.map(({ key }) => key)).toEqual(['k1499']);
  });

  it('is no text that has no end', () => {
    const text = `${'concat(note,'.repeat(99)}note${')'.repeat(99)} eq 'x'`;
    const { predicate } = compileFilter(shape, text, 0);
    const test = (note: string) => new Evaluator(samples).matches(predicate, { note });
    expect(test('x')).toBe(false);
    expect(() => test('x'.repeat(1_000_000))).toThrow(expect.objectContaining({ code: 'TooComplex' }));
  });
});
