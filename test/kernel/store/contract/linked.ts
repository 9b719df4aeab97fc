import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collection, number, text } from '../../../../src/kernel/store/collection.ts';
import { isLike } from '../../../../src/kernel/store/like.ts';
import { layoutOf } from '../../../../src/kernel/store/sql/layout.ts';
import { pageStatement } from '../../../../src/kernel/store/sql/page.ts';
import type { Filter, Store } from '../../../../src/kernel/store/types.ts';
import type { Engine } from './engines.ts';

interface Run {
  readonly experiment: string;
}
interface Value {
  readonly run: string;
  readonly name: string;
  readonly value: number;
}

const runs = collection<Run>('test.runs', {
  fields: { experiment: text((run) => run.experiment) },
  indexes: [['experiment']],
});
const values = collection<Value>('test.values', {
  fields: {
    run: text((it) => it.run),
    name: text((it) => it.name),
    value: number((it) => it.value),
  },
  indexes: [['run'], ['name', 'value']],
});

const byKey = (suffix: string, filter?: Filter): Filter => ({
  op: 'linked',
  collection: values,
  field: 'key',
  by: 'key',
  suffix,
  ...(filter && { filter }),
});

async function filled(store: Store): Promise<void> {
  await store.transact(async (tx) => {
    for (const run of ['r1', 'r2', 'r3']) await tx.put(runs, run, { experiment: run === 'r3' ? 'b' : 'a' });
    const put = (run: string, name: string, value: number) => tx.put(values, `${run}/${name}`, { run, name, value });
    await put('r1', 'acc', 0.9);
    await put('r1', 'loss', 3);
    await put('r2', 'acc', 0.5);
    await put('r3', 'loss', 3);
    await put('gone', 'acc', 1);
  });
}

export function linkedTests(engine: Engine): void {
  test('documents are found by documents of another collection that belong to them', async (context) => {
    const store = await (await engine.place(context)).open([runs, values]);
    context.onTestFinished(() => store.close());
    await filled(store);
    const keys = async (filter: Filter) => (await store.query(runs, { filter, limit: 9 })).items.map(({ key }) => key);
    const atLeast = (value: number): Filter => ({ op: 'ge', field: 'value', value });
    expect(await keys(byKey('/acc'))).toEqual(['r1', 'r2']);
    expect(await keys(byKey('/acc', atLeast(0.6)))).toEqual(['r1']);
    expect(await keys({ op: 'not', arg: byKey('/acc', atLeast(0.6)) })).toEqual(['r2', 'r3']);
    expect(await keys({ op: 'and', args: [byKey('/acc'), { op: 'not', arg: byKey('/loss') }] })).toEqual(['r2']);
    expect(await keys({ op: 'linked', collection: values, field: 'run', by: 'key', filter: atLeast(3) })).toEqual([
      'r1',
      'r3',
    ]);
    expect(await store.count(runs, { filter: byKey('/loss') })).toBe(2);
  });

  test('links may be chained, and may lead back to the first collection', async (context) => {
    const store = await (await engine.place(context)).open([runs, values]);
    context.onTestFinished(() => store.close());
    await filled(store);
    const inA: Filter = { op: 'eq', field: 'experiment', value: 'a' };
    const ofRunInA: Filter = { op: 'linked', collection: runs, field: 'key', by: 'run', filter: inA };
    const losses = await store.query(values, {
      filter: { op: 'and', args: [{ op: 'eq', field: 'name', value: 'loss' }, ofRunInA] },
      limit: 9,
    });
    expect(losses.items.map(({ key }) => key)).toEqual(['r1/loss']);
    const sibling: Filter = { op: 'linked', collection: values, field: 'key', by: 'run', suffix: '/loss' };
    const withLoss = await store.query(values, {
      filter: { op: 'linked', collection: runs, field: 'key', by: 'run', filter: byKey('/acc', sibling) },
      limit: 9,
    });
    expect(withLoss.items.map(({ key }) => key)).toEqual(['r1/acc', 'r1/loss']);
  });

  test('a link by something that is no text field is refused by name', async (context) => {
    const store = await (await engine.place(context)).open([runs, values]);
    context.onTestFinished(() => store.close());
    for (const [link, message] of [
      [{ field: 'value', by: 'key' }, /'value' is not a text field of test.values/],
      [{ field: 'run', by: 'nope' }, /'nope' is not a text field of test.runs/],
    ] as const) {
      const filter: Filter = { op: 'linked', collection: values, ...link };
      await expect(store.query(runs, { filter, limit: 1 })).rejects.toMatchObject({
        code: 'BAD_QUERY',
        message: expect.stringMatching(message),
      });
    }
  });

  test('any LIKE pattern finds the same as in memory', async (context) => {
    const store = await (await engine.place(context)).open([runs]);
    context.onTestFinished(() => store.close());
    const pieces = fc.constantFrom('a', 'b', '😀', '\\', "'", '.', '\n');
    const texts = fc.sample(fc.array(pieces, { maxLength: 6 }), { numRuns: 40, seed: 3 }).map((each) => each.join(''));
    await store.transact((tx) =>
      tx.putAll(
        runs,
        texts.map((experiment, i) => [`${100 + i}`, { experiment }] as const),
      ),
    );
    const patterns = fc.array(fc.oneof(pieces, fc.constantFrom('%', '_')), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(patterns, async (parts) => {
        const pattern = parts.join('');
        const left = { call: 'like', args: [{ field: 'experiment' }, { value: pattern }] } as const;
        const filter: Filter = { op: 'compare', operator: 'eq', left, right: { value: true } };
        const expected = texts.filter((experiment) => isLike(experiment, pattern)).length;
        expect(await store.count(runs, { filter })).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });

  if (!engine.durable) return;

  test('a link by key is one look into the index of keys', async (context) => {
    const place = await engine.place(context);
    const store = await place.open([runs, values]);
    context.onTestFinished(() => store.close());
    await filled(store);
    const layout = layoutOf(runs, engine.dialect);
    const plan = await place.explain(pageStatement(layout, engine.dialect, { filter: byKey('/acc'), limit: 1 }));
    // PostgreSQL scans tables this small, whatever indexes exist.
    expect(plan).toMatch(
      engine.dialect.tableOptions === '' ? /test\.values/ : /SEARCH l0 .*USING PRIMARY KEY \(key=\?\)/,
    );
  });

  test('a list of keys leads to its documents, whatever else is asked of them', async (context) => {
    const place = await engine.place(context);
    const store = await place.open([runs, values]);
    context.onTestFinished(() => store.close());
    await filled(store);
    const keys: Filter = { op: 'in', field: 'key', values: ['r1', 'r3', 'r9'] };
    const inA: Filter = { op: 'eq', field: 'experiment', value: 'a' };
    const filter: Filter = { op: 'and', args: [inA, keys, byKey('/acc')] };
    const either: Filter = { op: 'not', arg: { op: 'or', args: [inA, keys] } };
    expect((await store.query(runs, { filter, limit: 9 })).items.map(({ key }) => key)).toEqual(['r1']);
    expect(await store.count(runs, { filter: { op: 'not', arg: filter } })).toBe(2);
    expect(await store.count(runs, { filter: either })).toBe(0);
    const statement = pageStatement(layoutOf(runs, engine.dialect), engine.dialect, { filter, limit: 9 });
    const onKeys = /SEARCH c\.test\.runs USING PRIMARY KEY \(key=\?\)/;
    expect(await place.explain(statement)).toMatch(engine.dialect.tableOptions === '' ? /test\.runs/ : onKeys);
  });
}
