import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FunctionName } from '../../../../src/kernel/store/functions.ts';
import { layoutOf } from '../../../../src/kernel/store/sql/layout.ts';
import { pageStatement } from '../../../../src/kernel/store/sql/page.ts';
import type { Expression, Filter, Order, Position, Query, Store } from '../../../../src/kernel/store/types.ts';
import { type Engine, openNew, type Thing, things } from './engines.ts';
import { matches, sorted } from './oracle.ts';

const RUNS = 150;
const DOCUMENTS = 40;

const texts = fc.constantFrom(
  '',
  'a',
  'A',
  'ab',
  'a%',
  'a_b',
  'b',
  'Ä',
  '\ud7ff',
  '\ue000',
  'a\u{10ffff}',
  '🫙',
  'z\\',
  "o'c",
);
const numbers = fc.constantFrom(0, -0, 1, -1.5, 2 ** 53, -408798739271610400, 1e-9, 10, 9);
const thingArbitrary: fc.Arbitrary<Thing> = fc.record({
  name: fc.option(texts),
  size: fc.option(numbers),
  on: fc.option(fc.boolean()),
  tags: fc.array(texts, { maxLength: 3 }),
});

const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ op: fc.constantFrom('eq', 'ne'), field: fc.constant('name'), value: fc.option(texts) }),
  fc.record({ op: fc.constantFrom('eq', 'ne'), field: fc.constant('size'), value: fc.option(numbers) }),
  fc.record({ op: fc.constantFrom('eq', 'ne'), field: fc.constant('on'), value: fc.option(fc.boolean()) }),
  fc.record({ op: fc.constantFrom('lt', 'le', 'gt', 'ge'), field: fc.constant('name'), value: texts }),
  fc.record({ op: fc.constantFrom('lt', 'le', 'gt', 'ge'), field: fc.constant('size'), value: numbers }),
  fc.record({ op: fc.constantFrom('lt', 'le', 'gt', 'ge'), field: fc.constant('on'), value: fc.boolean() }),
  fc.record({ op: fc.constant('in'), field: fc.constant('name'), values: fc.array(texts, { maxLength: 3 }) }),
  fc.record({ op: fc.constant('in'), field: fc.constant('size'), values: fc.array(numbers, { maxLength: 3 }) }),
  fc.record({ op: fc.constant('in'), field: fc.constant('on'), values: fc.array(fc.boolean(), { maxLength: 2 }) }),
  fc.record({ op: fc.constantFrom('startsWith', 'endsWith', 'contains'), field: fc.constant('name'), value: texts }),
  fc.record({ op: fc.constant('has'), field: fc.constant('tags'), value: texts }),
  fc.record({ op: fc.constant('hasAny'), field: fc.constant('tags'), values: fc.array(texts, { maxLength: 4 }) }),
);
const { text: textExpression, number: numberExpression } = fc.letrec<{ text: Expression; number: Expression }>(
  (tie) => {
    const call = (name: FunctionName, ...args: readonly fc.Arbitrary<Expression>[]) =>
      fc.tuple(...args).map((given): Expression => ({ call: name, args: given }));
    return {
      text: fc.oneof(
        { maxDepth: 2 },
        fc.constant<Expression>({ field: 'name' }),
        fc.record({ value: fc.option(texts) }),
        call('tolower', tie('text')),
        call('concat', tie('text'), tie('text')),
        call('substring', tie('text'), tie('number')),
      ),
      number: fc.oneof(
        { maxDepth: 2 },
        fc.constant<Expression>({ field: 'size' }),
        fc.record({ value: fc.option(numbers) }),
        call('length', tie('text')),
        call('indexof', tie('text'), tie('text')),
        call('mul', tie('number'), tie('number')),
        call('divby', tie('number'), tie('number')),
      ),
    };
  },
);
const comparators = fc.constantFrom(
  'eq' as const,
  'ne' as const,
  'lt' as const,
  'le' as const,
  'gt' as const,
  'ge' as const,
);
const compareOf = (expression: fc.Arbitrary<Expression>) =>
  fc.record({ op: fc.constant('compare' as const), operator: comparators, left: expression, right: expression });
const computed: fc.Arbitrary<Filter> = fc.oneof(
  compareOf(textExpression),
  compareOf(numberExpression),
  fc.record({ op: fc.constant('among'), left: textExpression, values: fc.array(texts, { maxLength: 3 }) }),
  fc.record({ op: fc.constant('among'), left: numberExpression, values: fc.array(numbers, { maxLength: 3 }) }),
);
const { filter: filterArbitrary } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    leaf,
    computed,
    fc.record({ op: fc.constantFrom('and', 'or'), args: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ op: fc.constant('not'), arg: tie('filter') }),
  ),
}));
const orderArbitrary: fc.Arbitrary<Order[]> = fc.uniqueArray(
  fc.record({ field: fc.constantFrom('name', 'size', 'on'), descending: fc.boolean() }),
  { maxLength: 3, selector: (order) => order.field },
);

async function fill(store: Store, documents: ReadonlyMap<string, Thing>): Promise<void> {
  await store.transact(async (tx) => {
    for (const [key, thing] of documents) await tx.put(things, key, thing);
  });
}

async function allKeys(store: Store, query: Query): Promise<string[]> {
  const keys: string[] = [];
  let after: Position | undefined;
  do {
    const page = await store.query(things, { ...query, after });
    expect(page.items.length).toBeLessThanOrEqual(query.limit);
    keys.push(...page.items.map((item) => item.key));
    // Through JSON, as in a skip token.
    after = page.next && JSON.parse(JSON.stringify(page.next));
  } while (after);
  return keys;
}

export function queryTests(engine: Engine): void {
  test('any filter, order and page size gives the same as evaluation in memory', async (context) => {
    const store = await openNew(engine, context);
    const sample = fc.sample(thingArbitrary, { numRuns: DOCUMENTS, seed: 7 });
    const documents = new Map(sample.map((thing, i) => [`${'pqA'[i % 3]}/${(i * 7919) % 1000}`, thing]));
    await fill(store, documents);
    await fc.assert(
      fc.asyncProperty(
        filterArbitrary,
        orderArbitrary,
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(undefined, '', 'p/', 'A'),
        async (filter, order, limit, prefix) => {
          const matching = new Map(
            [...documents].filter(([key, thing]) => key.startsWith(prefix ?? '') && matches(filter, thing)),
          );
          expect(await allKeys(store, { filter, order, limit, prefix })).toEqual(sorted(matching, order));
          expect(await store.count(things, { filter, prefix })).toBe(matching.size);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('a prefix selects by the bytes of the key', async (context) => {
    const store = await openNew(engine, context);
    const keys = [
      'a',
      'a/',
      'a/b',
      'a/\ud7ff',
      'a/\ue000',
      'a/\u{10ffff}',
      'a/\u{10ffff}x',
      'a0',
      'A/b',
      'b',
      '%',
      'a/%',
    ];
    await fill(store, new Map(keys.map((key) => [key, {}])));
    for (const prefix of ['a', 'a/', 'a/\ud7ff', 'a/\u{10ffff}', '\u{10ffff}', '%', 'A', 'a/b/']) {
      const expected = new Map(keys.filter((key) => key.startsWith(prefix)).map((key) => [key, {}]));
      expect(await allKeys(store, { prefix, limit: 3 })).toEqual(sorted(expected, []));
    }
  });

  test('pages neither repeat nor miss lasting documents, while others come and go', async (context) => {
    const store = await openNew(engine, context);
    const lasting = new Map(Array.from({ length: 30 }, (_, i) => [`k${10 + i}`, { size: i % 4 === 0 ? null : i % 7 }]));
    for (const descending of [false, true]) {
      await fill(store, lasting);
      const order = [{ field: 'size', descending }];
      const seen: string[] = [];
      let after: Position | undefined;
      for (let round = 0; ; round++) {
        const page = await store.query(things, { order, after, limit: 4 });
        seen.push(...page.items.map((item) => item.key));
        if (!page.next) break;
        after = page.next;
        await store.transact(async (tx) => {
          await tx.put(things, `new${round}`, { size: round % 7 });
          await tx.put(things, `null${round}`, {});
          if (round > 1) await tx.delete(things, `new${round - 1}`);
          // The last document of the page may be deleted too.
          const last = page.items.at(-1)!;
          if (!lasting.has(last.key)) await tx.delete(things, last.key);
        });
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((key) => lasting.has(key))).toEqual(sorted(lasting, order));
      await store.wipe(async () => {});
    }
  });

  test('a query leaves out so many from the start, and pages go on from there', async (context) => {
    const store = await openNew(engine, context);
    await fill(store, new Map(Array.from({ length: 9 }, (_, i) => [`k${i}`, { size: i % 2 }])));
    const order = [{ field: 'size', descending: true }];
    const page = await store.query(things, { order, skip: 3, limit: 2 });
    expect(page.items.map((item) => item.key)).toEqual(['k1', 'k8']);
    const rest = await store.query(things, { order, limit: 4, after: page.next! });
    expect(rest.items.map((item) => item.key)).toEqual(['k6', 'k4', 'k2', 'k0']);
    expect(await store.query(things, { skip: 9, limit: 2 })).toEqual({ items: [] });
  });

  test('a long chain of conditions means the same as a short one', async (context) => {
    const store = await openNew(engine, context);
    await fill(store, new Map(Array.from({ length: 300 }, (_, i) => [`k${100 + i}`, { size: i }])));
    for (const length of [39, 41, 150]) {
      const each = (op: 'ne' | 'eq'): Filter[] =>
        Array.from({ length }, (_, i) => ({ op, field: 'size', value: i + (i >= 40 ? 60 : 0) }));
      expect(await store.count(things, { filter: { op: 'and', args: each('ne') } })).toBe(300 - length);
      expect(await store.count(things, { filter: { op: 'or', args: each('eq') } })).toBe(length);
      expect(await store.count(things, { filter: { op: 'not', arg: { op: 'or', args: each('eq') } } })).toBe(
        300 - length,
      );
      expect(await store.count(things, { filter: { op: 'not', arg: { op: 'and', args: each('ne') } } })).toBe(length);
    }
  });

  test('queries that do not fit the collection are refused with its name', async (context) => {
    const store = await openNew(engine, context);
    const bad = (query: Partial<Query>, message: RegExp) =>
      expect(store.query(things, { limit: 5, ...query })).rejects.toMatchObject({
        code: 'BAD_QUERY',
        message: expect.stringMatching(message),
      });
    await bad({ filter: { op: 'eq', field: 'nope', value: 1 } }, /'nope' is not a field of test.things/);
    await bad({ filter: { op: 'eq', field: 'size', value: '1' } }, /'size' is a number field .* string/);
    await bad({ filter: { op: 'in', field: 'name', values: [true] } }, /'name' is a text field/);
    await bad({ filter: { op: 'contains', field: 'size', value: '1' } }, /'size' is a number field/);
    await bad({ filter: { op: 'has', field: 'name', value: 'x' } }, /'name' is not a set/);
    await bad({ filter: { op: 'eq', field: 'tags', value: 'x' } }, /'tags' is not a field/);
    await bad({ filter: { op: 'matches', parts: ['name'], phrase: 'x' } }, /test.things declares no full text/);
    const compared = (left: Expression, right: Expression): Filter => ({ op: 'compare', operator: 'eq', left, right });
    await bad({ filter: compared({ field: 'nope' }, { value: 1 }) }, /'nope' is not a field/);
    await bad({ filter: compared({ field: 'size' }, { field: 'name' }) }, /a number cannot be compared with a text/);
    await bad({ filter: compared({ call: 'length', args: [] }, { value: 1 }) }, /'length' does not take 0 arguments/);
    await bad(
      { filter: compared({ call: 'length', args: [{ value: 1 }] }, { value: 1 }) },
      /is to be a text, not a number/,
    );
    await bad({ filter: compared({ call: 'toString' as 'trim', args: [] }, { value: 1 }) }, /no function 'toString'/);
    await bad({ filter: { op: 'among', left: { field: 'size' }, values: ['a'] } }, /number field .* string/);
    await bad({ after: ['k'], skip: 1 }, /cannot skip documents/);
    await bad({ order: [{ field: 'tags' }] }, /cannot be ordered by 'tags'/);
    await bad({ after: ['a', 'b'] }, /another order/);
    await bad({ order: [{ field: 'size' }], after: ['a', 'b'] }, /'size' is a number/);
    await bad({ order: [{ field: 'size' }], after: [1, null] }, /no key/);
  });

  if (!engine.durable) return;

  test('an indexed order is read from the index, from any position and in both directions', async (context) => {
    const place = await engine.place(context);
    const store = await place.open();
    const documents = Array.from({ length: 4000 }, (_, i): [string, Thing] => {
      return [
        `k${i}`,
        { name: i % 3 ? `n${i % 50}` : null, size: i % 5 ? i % 100 : null, on: i % 2 === 0, tags: [`t${i % 10}`] },
      ];
    });
    await store.transact((tx) => tx.putAll(things, documents));
    await place.sql('ANALYZE');
    const on: Filter = { op: 'eq', field: 'on', value: true };
    const computedOnly: Filter = {
      op: 'compare',
      operator: 'ne',
      left: { call: 'tolower', args: [{ field: 'name' }] },
      right: { value: 'x' },
    };
    const queries: Omit<Query, 'limit'>[] = [{}, { after: ['k2'] }, { prefix: 'k3' }, { prefix: 'k3', after: ['k31'] }];
    for (const descending of [false, true]) {
      const order = [{ field: 'size', descending }];
      queries.push({ order }, { order, after: [50, 'k50'] }, { order, after: [null, 'k5'] });
      queries.push(
        { order, filter: on },
        { order, filter: on, after: [50, 'k50'] },
        { order, filter: on, after: [null, 'k5'] },
      );
      // A condition that no index can answer does not prevent the use of an index for the others.
      queries.push({ order, filter: { op: 'and', args: [on, computedOnly] } });
      queries.push({ order, filter: { op: 'and', args: [computedOnly, on] }, after: [50, 'k50'] });
      queries.push({ order: [{ field: 'on', descending }, ...order], after: [true, 50, 'k50'] });
      queries.push({ order: [{ field: 'on', descending }, ...order], after: [false, null, 'k50'] });
      queries.push({
        order: [{ field: 'name', descending }],
        filter: { op: 'startsWith', field: 'name', value: 'n4' },
      });
    }
    const layout = layoutOf(things, engine.dialect);
    for (const query of queries) {
      const plan = await place.explain(pageStatement(layout, engine.dialect, { ...query, limit: 10 }));
      const told = `${JSON.stringify(query)}\n${plan}`;
      expect(told).not.toMatch(/Sort|TEMP B-TREE|Seq Scan/);
      // SQLite calls reading from the start a scan; with a position or a filter it has to search.
      const fromTheStart = !query.after && !query.filter && !query.prefix;
      const scans = fromTheStart && !engine.shared ? 1 : 0;
      expect([...told.matchAll(/SCAN "?c\./g)], told).toHaveLength(scans);
    }
  });
}
