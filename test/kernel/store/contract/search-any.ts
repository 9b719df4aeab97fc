import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../../src/kernel/store/search/words.ts';
import { layoutOf } from '../../../../src/kernel/store/sql/layout.ts';
import type { PageRow } from '../../../../src/kernel/store/sql/rows.ts';
import { type Attempt, searchPage } from '../../../../src/kernel/store/sql/search-page.ts';
import { planSearch } from '../../../../src/kernel/store/sql/search-plan.ts';
import type { Filter, Order, Position, Query, Scalar, Store } from '../../../../src/kernel/store/types.ts';
import type { Engine, Place } from './engines.ts';
import { ALL_PARTS, type Letter, letters } from './letters.ts';

const RUNS = 60;
const DOCUMENTS = 90;

const WORDS = [
  'a',
  'ab',
  'abc',
  'Ä',
  'b',
  'B',
  'straße',
  '東',
  '東京',
  'OR',
  'x\u0000y',
  '\ud800',
  '🫙',
  'ab-abc',
  "o'b",
];
const BOXES = ['one', 'two'];

const textArbitrary = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(' ', '', ', ', '"')), { maxLength: 6 })
  .map((pieces) => pieces.flat().join(''));
const letterArbitrary: fc.Arbitrary<Letter> = fc.record({
  box: fc.constantFrom(...BOXES, 'one', null),
  at: fc.constantFrom(1, 2, 3, null),
  read: fc.boolean(),
  tags: fc.subarray(['red', 'blue']),
  subject: textArbitrary,
  to: fc.array(textArbitrary, { maxLength: 2 }),
  body: textArbitrary,
});

const matchesArbitrary: fc.Arbitrary<Filter> = fc.record({
  op: fc.constant('matches'),
  within: fc.constantFrom('one', 'one', 'one', 'two'),
  parts: fc.subarray(ALL_PARTS, { minLength: 1 }),
  phrase: fc
    .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
    .chain((words) => fc.constantFrom(words[0]!, words.join(' '), words.join(''))),
  prefix: fc.boolean(),
});
const { filter: filterArbitrary } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: matchesArbitrary },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('eq'), field: fc.constant('read'), value: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({ op: fc.constant('has'), field: fc.constant('tags'), value: fc.constant('red') }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ op: fc.constantFrom('ge', 'lt'), field: fc.constant('at'), value: fc.constant(2) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ op: fc.constantFrom('and', 'or'), args: fc.array(tie('filter'), { maxLength: 3 }) }),
    },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('not'), arg: tie('filter') }) },
  ),
}));
const orderArbitrary: fc.Arbitrary<Order[]> = fc.constantFrom<Order[]>(
  [],
  [{ field: 'key', descending: true }],
  [{ field: 'at', descending: true }],
  [{ field: 'at' }],
  [{ field: 'read' }, { field: 'at', descending: true }],
);
const attemptsArbitrary: fc.Arbitrary<Attempt[]> = fc.array(
  fc.oneof(fc.record({ walk: fc.integer({ min: 1, max: 40 }) }), fc.record({ find: fc.integer({ min: 1, max: 20 }) })),
  { maxLength: 3 },
);

/** The contract implemented in plain code. */
function holds(filter: Filter, letter: Letter): boolean {
  switch (filter.op) {
    case 'and':
      return filter.args.every((arg) => holds(arg, letter));
    case 'or':
      return filter.args.some((arg) => holds(arg, letter));
    case 'not':
      return !holds(filter.arg, letter);
    case 'matches': {
      const phrase = wordsOf(filter.phrase);
      const texts = filter.parts.flatMap((part) => letter[part as 'subject' | 'to' | 'body'] ?? []);
      return letter.box === filter.within && texts.some((text) => hasPhrase(wordsOf(text), phrase, filter.prefix));
    }
    case 'has':
      return letter.tags?.includes(filter.value) ?? false;
    case 'eq':
      return letter.read === filter.value;
    case 'ge':
      return typeof letter.at === 'number' && letter.at >= Number(filter.value);
    case 'lt':
      return typeof letter.at === 'number' && letter.at < Number(filter.value);
    default:
      throw new Error(`'${filter.op}' is not expected here`);
  }
}

function hasPhrase(words: readonly string[], phrase: readonly string[], prefix = false): boolean {
  if (phrase.length === 0) return false;
  const last = phrase.length - 1;
  return words.some((_, from) =>
    phrase.every((word, i) => {
      const found = words[from + i];
      return i === last && prefix ? found?.startsWith(word) : found === word;
    }),
  );
}

function sorted(documents: ReadonlyMap<string, Letter>, order: readonly Order[]): string[] {
  const rank = (value: Scalar | null | undefined): number =>
    value === null || value === undefined ? Number.NEGATIVE_INFINITY : Number(value);
  const direction = order.at(-1)?.descending ? -1 : 1;
  return [...documents.keys()].sort((a, b) => {
    for (const { field, descending } of order) {
      if (field === 'key') continue;
      const [left, right] = [documents.get(a)!, documents.get(b)!].map((each) => rank(each[field as 'at' | 'read']));
      if (left !== right) return (left! < right! ? -1 : 1) * (descending ? -1 : 1);
    }
    return (a < b ? -1 : 1) * direction;
  });
}

async function allKeys(store: Store, query: Query): Promise<string[]> {
  const keys: string[] = [];
  for (let after: Position | undefined; ; ) {
    const page = await store.query(letters, { ...query, ...(after && { after }) });
    expect(page.items.length).toBeLessThanOrEqual(query.limit);
    keys.push(...page.items.map(({ key }) => key));
    if (!page.next) return keys;
    after = JSON.parse(JSON.stringify(page.next));
  }
}

async function attempted(engine: Engine, place: Place, query: Query, attempts: readonly Attempt[]) {
  const plan = planSearch(letters, query.filter);
  if (!plan) return undefined;
  const reads = searchPage(layoutOf(letters, engine.dialect), engine.dialect, query, plan, attempts);
  let next = reads.next();
  while (!next.done) next = reads.next(await place.rows(next.value));
  return next.value.map(([, key]: PageRow) => key);
}

const sample = () =>
  new Map(
    fc
      .sample(letterArbitrary, { numRuns: DOCUMENTS, seed: 11 })
      .map((letter, i) => [`${'pq'[i % 2]}${String((i * 7919) % 1000).padStart(3, '0')}`, letter]),
  );

export function anySearchTests(engine: Engine): void {
  test('any search with any filter, order and page size finds the same as evaluation in memory', async (context) => {
    const store = await (await engine.place(context)).open([letters]);
    const documents = sample();
    await store.transact((tx) => tx.putAll(letters, documents));
    await fc.assert(
      fc.asyncProperty(
        filterArbitrary,
        orderArbitrary,
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(undefined, 'p'),
        async (filter, order, limit, prefix) => {
          const found = new Map(
            [...documents].filter(([key, letter]) => key.startsWith(prefix ?? '') && holds(filter, letter)),
          );
          expect(await allKeys(store, { filter, order, limit, prefix })).toEqual(sorted(found, order));
          expect(await store.count(letters, { filter, prefix })).toBe(found.size);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('changed documents are found by their current text', async (context) => {
    const store = await (await engine.place(context)).open([letters]);
    const keys = ['a', 'b', 'c', 'd'];
    const write = fc.tuple(fc.constantFrom(...keys), fc.option(letterArbitrary));
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { maxLength: 8 }),
        fc.array(matchesArbitrary, { maxLength: 4 }),
        async (writes, filters) => {
          const documents = new Map<string, Letter>();
          await store.wipe(async () => {});
          for (const [key, letter] of writes) {
            await store.transact(async (tx) => (letter ? tx.put(letters, key, letter) : tx.delete(letters, key)));
            if (letter) documents.set(key, letter);
            else documents.delete(key);
          }
          for (const filter of filters) {
            const found = keys.filter((key) => documents.has(key) && holds(filter, documents.get(key)!));
            expect(await allKeys(store, { filter, limit: 10 })).toEqual(found);
          }
        },
      ),
      { numRuns: RUNS / 2 },
    );
  });

  if (!engine.durable) return;

  test('whatever is attempted first, by a walk or by the index, a page is the same', async (context) => {
    const place = await engine.place(context);
    const store = await place.open([letters]);
    const documents = sample();
    await store.transact((tx) => tx.putAll(letters, documents));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(filterArbitrary, matchesArbitrary),
        orderArbitrary,
        fc.integer({ min: 1, max: 2 }),
        fc.integer({ min: 0, max: 2 }),
        attemptsArbitrary,
        async (filter, order, limit, skip, attempts) => {
          const found = new Map([...documents].filter(([, letter]) => holds(filter, letter)));
          const expected = sorted(found, order);
          const rows = await attempted(engine, place, { filter, order, limit, skip }, attempts);
          if (rows) expect(rows).toEqual(expected.slice(skip, skip + limit + 1));
          const first = await store.query(letters, { filter, order, limit });
          if (!first.next) return;
          const rest = await attempted(engine, place, { filter, order, limit, after: first.next }, attempts);
          if (rest) expect(rest).toEqual(expected.slice(limit, 2 * limit + 1));
        },
      ),
      { numRuns: 2 * RUNS },
    );
  });
}
