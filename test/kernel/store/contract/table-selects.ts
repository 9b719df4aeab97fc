import { expect, test } from 'vitest';
import type { Cell, ColumnType, FunctionLibrary } from '../../../../src/kernel/store/typed/types.ts';
import type { Store } from '../../../../src/kernel/store/types.ts';
import { type Engine, openNew, things } from './engines.ts';
import { LIBRARY } from './library.ts';
import { append, column, create, each, single } from './typed.ts';

const BOUNDS = { rows: 1000, timeMs: 60_000 };

async function selected(store: Store, text: string, columns: readonly ColumnType[], values: readonly Cell[] = []) {
  return (await store.tables.select({ text, values, columns }, BOUNDS)).rows;
}

export function tableSelectTests(engine: Engine): void {
  const prefix = engine.shared ? 'cloudjar.' : '';
  const p = engine.dialect.placeholder(1);
  const tick = engine.shared ? 'true' : 'tick()';
  /** Grows without a bound that the engine could know. */
  const endless = `
    WITH RECURSIVE counted (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counted WHERE ${tick})
    SELECT max(i) FROM counted`;

  test('values go into a statement and results come out by their types', async (context) => {
    const store = await openNew(engine, context);
    const table = { name: 'facts', columns: [column('c1', 'int64'), column('c2', 'text'), column('c3', 'double')] };
    await create(store, table, [
      [1, 'a', 0.5],
      [2n ** 62n, 'B', null],
      [null, 'b ', 1.5],
    ]);
    const facts = store.tables.sqlName('facts');
    expect(
      await selected(store, `SELECT n, c1 FROM ${facts} WHERE c2_key = ${p} ORDER BY n`, ['int64', 'int64'], ['b']),
    ).toEqual([
      [2, 2n ** 62n],
      [3, null],
    ]);
    const grouped = `SELECT min(c2), sum(c3), count(*) FROM ${facts} GROUP BY c2_key ORDER BY c2_key`;
    expect(await selected(store, grouped, ['text', 'double', 'int64'])).toEqual([
      ['a', 0.5, 1],
      ['B', 1.5, 2],
    ]);
    expect(await selected(store, `SELECT sum(c1), ${p} FROM ${facts}`, ['int64', 'text'], ['x'])).toEqual([
      [2n ** 62n + 1n, 'x'],
    ]);
    const wide = `SELECT n FROM ${facts} WHERE c1 = ${p}`;
    expect(await selected(store, wide, ['int64'], [2n ** 62n])).toEqual([[2]]);
    expect(await selected(store, `SELECT 1, 1 = 1, 0, 2`, ['double', 'boolean', 'datetime', 'decimal'])).toEqual([
      [1, 1, 0, 2],
    ]);
  });

  test('texts fold within a statement as they do on their way into a table', async (context) => {
    const store = await openNew(engine, context);
    const text = `SELECT ${prefix}fold(${p}${engine.shared ? '::text' : ''})`;
    for (const [given, folded] of [
      ['ABC  ', 'abc'],
      ['ＡＢＣ　', 'abc'],
      ['カタカナ', 'かたかな'],
      ['ΣΑΣ', 'σασ'],
      ['É\u0001', 'é\ufffd'],
      ['  ', ''],
      [null, null],
    ]) {
      expect(await selected(store, text, ['text'], [given!])).toEqual([[folded]]);
    }
  });

  test('no more rows are read than are wanted, and whether there are more is known', async (context) => {
    const store = await openNew(engine, context);
    await create(store, single('int64'), each(...Array.from({ length: 50 }, (_, i) => i)));
    const text = `SELECT c1 FROM ${store.tables.sqlName('single')} ORDER BY c1 DESC`;
    const take = (rows: number) => store.tables.select({ text, values: [], columns: ['int64'] }, { ...BOUNDS, rows });
    expect(await take(2)).toEqual({ rows: [[49], [48]], more: true });
    expect(await take(49)).toMatchObject({ more: true });
    expect(await take(50)).toMatchObject({ more: false });
    expect((await take(0)).more).toBe(true);
    await store.transact((tx) => tx.tables.drop('single'));
  });

  test('a statement that takes too long is ended, and the next one runs', async (context) => {
    const store = await openNew(engine, context);
    const late = store.tables.select({ text: endless, values: [], columns: ['int64'] }, { rows: 1, timeMs: 50 });
    await expect(late).rejects.toMatchObject({ code: 'TOO_LONG' });
    expect(await selected(store, `SELECT 1 WHERE ${tick}`, ['int64'])).toEqual([[1]]);
  });

  if (engine.durable) {
    test('others read and write while a statement runs, and closing the store ends it', async (context) => {
      const store = await openNew(engine, context);
      const long = store.tables.select({ text: endless, values: [], columns: ['int64'] }, { rows: 1, timeMs: 600_000 });
      const behind = selected(store, 'SELECT 2', ['int64']);
      let settled = false;
      const ended = long.then(
        () => undefined,
        (error: unknown) => error,
      );
      void ended.then(() => {
        settled = true;
      });
      for (let i = 0; i < 5; i++) {
        await store.transact((tx) => tx.put(things, `k${i}`, {}));
        expect(await store.count(things)).toBe(i + 1);
      }
      expect(settled).toBe(false);
      if (engine.shared) expect(await behind).toEqual([[2]]);
      else behind.catch(() => {});
      await store.close();
      expect(await ended).toBeInstanceOf(Error);
    });
  }

  if (!engine.shared) {
    test('a statement that never checks the time is limited too', async (context) => {
      const store = await openNew(engine, context);
      const text = `
        WITH RECURSIVE counted (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counted WHERE i < 3000000)
        SELECT max(i) FROM counted`;
      const late = store.tables.select({ text, values: [], columns: ['int64'] }, { rows: 1, timeMs: 1 });
      await expect(late).rejects.toMatchObject({ code: 'TOO_LONG' });
      expect(await selected(store, 'SELECT 1', ['int64'])).toEqual([[1]]);
    });
  }

  test('a library is registered once, and errors of its functions are errors of the statement', async (context) => {
    const store = await openNew(engine, context);
    await Promise.all([store.tables.use(LIBRARY), store.tables.use(LIBRARY)]);
    await store.tables.use(LIBRARY);
    expect(await selected(store, `SELECT ${prefix}test_double(21)`, ['int64'])).toEqual([[42]]);
    const refused = () => selected(store, `SELECT ${prefix}test_refuse(7)`, ['int64']);
    // A failed statement fails again for the same reason.
    for (let i = 0; i < 2; i++)
      await expect(refused()).rejects.toMatchObject({ name: 'StoreError', code: 'STATEMENT', message: 'no 7' });
  });

  test('a library of functions that no other thread can load is called in this one', async (context) => {
    const store = await openNew(engine, context);
    const offset = 1;
    const local: FunctionLibrary = {
      name: 'local',
      functions: { test_next: (value) => Number(value) + offset },
      postgres: `CREATE OR REPLACE FUNCTION cloudjar.test_next(bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT $1 + 1'`,
    };
    await store.tables.use(LIBRARY);
    expect(await selected(store, `SELECT ${prefix}test_double(1)`, ['int64'])).toEqual([[2]]);
    await store.tables.use(local);
    expect(await selected(store, `SELECT ${prefix}test_next(${prefix}test_double(1))`, ['int64'])).toEqual([[3]]);
  });

  test('a library whose module cannot be loaded by another thread is called in this one', async (context) => {
    const store = await openNew(engine, context);
    await store.tables.use({ ...LIBRARY, module: 'file:///nowhere/library.ts' });
    expect(await selected(store, `SELECT ${prefix}test_double(1)`, ['int64'])).toEqual([[2]]);
    expect(await selected(store, `SELECT ${prefix}test_double(2)`, ['int64'])).toEqual([[4]]);
  });

  test('a library that has changed takes the place of the one before', async (context) => {
    const store = await openNew(engine, context);
    const versionOf = (version: number): FunctionLibrary => ({
      name: 'changing',
      functions: { test_version: () => version },
      postgres: `CREATE OR REPLACE FUNCTION cloudjar.test_version() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT ${version}::bigint'`,
    });
    await store.tables.use(versionOf(1));
    expect(await selected(store, `SELECT ${prefix}test_version()`, ['int64'])).toEqual([[1]]);
    await store.tables.use(versionOf(2));
    expect(await selected(store, `SELECT ${prefix}test_version()`, ['int64'])).toEqual([[2]]);
  });

  test('a whole number that is too large is an error of the statement', async (context) => {
    const store = await openNew(engine, context);
    await create(store, single('int64'), each(2n ** 63n - 2n, 5));
    const sum = selected(store, `SELECT sum(c1) FROM ${store.tables.sqlName('single')}`, ['int64']);
    const message = 'the result is too large for a whole number';
    await expect(sum).rejects.toMatchObject({ code: 'STATEMENT', message });
  });

  test('a sum of doubles that is too large is infinite, or an error that says so', async (context) => {
    const store = await openNew(engine, context);
    await create(store, single('double'), each(1.7e308, 1.7e308));
    const sum = selected(store, `SELECT sum(c1) FROM ${store.tables.sqlName('single')}`, ['double']);
    if (!engine.shared) return expect(await sum).toEqual([[Number.POSITIVE_INFINITY]]);
    const message = 'the result is too large for a decimal number';
    await expect(sum).rejects.toMatchObject({ code: 'STATEMENT', message });
  });

  test('a statement only reads', async (context) => {
    const store = await openNew(engine, context);
    await create(store, single('int64'), each(1));
    const name = store.tables.sqlName('single');
    const writing = engine.shared
      ? `WITH gone AS (DELETE FROM ${name} RETURNING c1) SELECT c1 FROM gone`
      : `DELETE FROM ${name}`;
    await expect(selected(store, writing, ['int64'])).rejects.toThrow();
    expect(await store.tables.count('single')).toBe(1);
  });

  test('a statement over a table that is gone, or has other columns by now, says so', async (context) => {
    const store = await openNew(engine, context);
    await create(store, single('int64'));
    const text = `SELECT c1 FROM ${store.tables.sqlName('single')}`;
    await store.transact((tx) => tx.tables.change({ name: 'single', columns: [column('c2', 'text')] }));
    await expect(selected(store, text, ['int64'])).rejects.toMatchObject({ code: 'UNKNOWN_TABLE' });
    await store.transact((tx) => tx.tables.drop('single'));
    await expect(selected(store, text, ['int64'])).rejects.toMatchObject({ code: 'UNKNOWN_TABLE' });
  });

  test('tables are written, changed and dropped while statements read them', async (context) => {
    const store = await openNew(engine, context);
    const rows = each(...Array.from({ length: 5000 }, (_, i) => i));
    await create(store, single('int64'), rows);
    const text = `SELECT count(*), sum(c1) FROM ${store.tables.sqlName('single')}`;
    const read = () => selected(store, text, ['int64', 'int64']);
    const sum = (5000 * 4999) / 2;
    const states = new Set(['5000', '10000', 'gone']);
    const seen = (result: PromiseSettledResult<readonly (readonly Cell[])[]>): string => {
      if (result.status === 'rejected') {
        expect(result.reason).toMatchObject({ code: 'UNKNOWN_TABLE' });
        return 'gone';
      }
      const [[count, total]] = result.value as [[number, number]];
      expect(total).toBe((count / 5000) * sum);
      return String(count);
    };
    const reads = [read(), read()];
    const written = append(store, 'single', rows);
    reads.push(read(), read());
    const changed = store.transact((tx) => tx.tables.change({ name: 'single', columns: [column('c1', 'double')] }));
    reads.push(read(), read());
    await Promise.all([written, changed]);
    const dropped = store.transact((tx) => tx.tables.drop('single'));
    reads.push(read(), read());
    const results = await Promise.allSettled(reads);
    await dropped;
    for (const result of results) expect(states).toContain(seen(result));
  });
}
