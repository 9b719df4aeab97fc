import { expect, it } from 'vitest';
import { compileFilter } from '../../../src/kernel/odata/compile.ts';
import { postgres } from '../store/contract/engines.ts';
import { samples, shape } from './samples.ts';

it('a PostgreSQL database that has not got the functions of filters yet gets them when it is opened', async (context) => {
  const place = await postgres.place(context);
  const first = await place.open([samples]);
  await first.close();
  await place.sql(`DELETE FROM cloudjar.meta WHERE name = 'functions'`);
  await place.sql('DROP FUNCTION cloudjar.fn_length(text)');
  const store = await place.open([samples]);
  await store.transact((tx) => tx.put(samples, 'a', { name: '🫙!' }));
  const left = { call: 'length', args: [{ field: 'name' }] } as const;
  const { items } = await store.query(samples, {
    filter: { op: 'compare', operator: 'eq', left, right: { value: 2 } },
    limit: 1,
  });
  expect(items.map(({ key }) => key)).toEqual(['a']);
});

it('arithmetic that may fail is computed where PostgreSQL would rather share the work among processes', async (context) => {
  const place = await postgres.place(context);
  const database = new URL(place.address).pathname.slice(1);
  for (const setting of ['min_parallel_table_scan_size = 0', 'parallel_setup_cost = 0', 'parallel_tuple_cost = 0'])
    await place.sql(`ALTER DATABASE ${database} SET ${setting}`);
  const store = await place.open([samples]);
  await store.transact(async (tx) => {
    for (let i = 0; i < 2000; i++) await tx.put(samples, `k${i}`, { price: i, name: `n${i}` });
  });
  await place.sql('ANALYZE');
  for (const [text, found] of [
    ['price mul 1e308 mul 10 eq null', 1999],
    ['price divby 0 eq null', 2000],
    ["tolower(name) ne 'N1'", 2000],
    ['length(name) eq 5', 1000],
  ] as const) {
    const { filter } = compileFilter(shape, text, 0);
    expect([text, await store.count(samples, { filter })]).toEqual([text, found]);
  }
});
