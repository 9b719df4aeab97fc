import { describe, expect, test } from 'vitest';
import { collection, number } from '../../../src/kernel/store/collection.ts';
import { layoutOf } from '../../../src/kernel/store/sql/layout.ts';
import { pageStatement } from '../../../src/kernel/store/sql/page.ts';
import type { Position, Query, Store } from '../../../src/kernel/store/types.ts';
import { type Engine, file, type Place, postgres } from './contract/engines.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';
const DOCUMENTS = SOAK ? 1_000_000 : 40_000;
const WORK_ITEMS = SOAK ? 100_000 : 60_000;
/** Keys start here, so that they have the same length and sort like numbers. */
const FIRST = 10_000_000;
const MIDDLE = String(FIRST + DOCUMENTS / 2);
const PAGE = 1000;

interface Large {
  readonly size: number | null;
}

const large = collection<Large>('test.large', {
  fields: { size: number((document) => document.size) },
  indexes: [['size']],
});

const sizeOf = (i: number) => (i % 10 === 0 ? null : i % 1000);

/** Rows are generated in the database itself, because a million round trips are not part of the test. */
const numbers = (count: number) =>
  `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;

async function fillDocuments(engine: Engine, place: Place): Promise<void> {
  const size = 'CASE WHEN i % 10 = 0 THEN NULL ELSE i % 1000 END';
  await place.sql(`${numbers(DOCUMENTS)} INSERT INTO ${layoutOf(large, engine.dialect).table} (key, etag, body, "f.size")
    SELECT CAST(${FIRST} + i AS text), 'e', '{"size":' || coalesce(CAST(${size} AS text), 'null') || '}', ${size} FROM n`);
  await place.sql('ANALYZE');
}

async function fillWork(engine: Engine, place: Place): Promise<void> {
  await place.sql(`${numbers(WORK_ITEMS)} INSERT INTO ${engine.shared ? 'cloudjar.' : ''}work (id, seq, kind, due_at, payload)
    SELECT CAST(i AS text), i, CASE WHEN i % 1000 = 0 THEN 'rare' ELSE 'common' END, i, 'null' FROM n`);
  await place.sql('ANALYZE');
}

async function walk(
  store: Store,
  query: Omit<Query, 'limit'>,
  visit: (keys: string[], sizes: (number | null)[]) => void,
) {
  let after: Position | undefined;
  do {
    const page = await store.query(large, { ...query, after, limit: PAGE });
    visit(
      page.items.map((item) => item.key),
      page.items.map((item) => item.value.size),
    );
    after = page.next;
  } while (after);
}

async function expectIndexed(engine: Engine, place: Place, query: Omit<Query, 'limit'>): Promise<void> {
  const plan = await place.explain(
    pageStatement(layoutOf(large, engine.dialect), engine.dialect, { ...query, limit: 100 }),
  );
  expect(`${JSON.stringify(query)}\n${plan}`).not.toMatch(/Sort|TEMP B-TREE|Seq Scan|SCAN "c\./);
}

for (const engine of [file, postgres]) {
  describe(`${engine.name}: ${DOCUMENTS} documents`, () => {
    test('page by key and by an indexed field in full, through the index alone', {
      timeout: 600_000,
    }, async (context) => {
      const place = await engine.place(context);
      const store = await place.open([large]);
      await fillDocuments(engine, place);

      let next = FIRST;
      await walk(store, {}, (keys) => {
        for (const key of keys) if (Number(key) !== next++) throw new Error(`${key} instead of ${next - 1}`);
      });
      expect(next).toBe(FIRST + DOCUMENTS);

      for (const descending of [false, true]) {
        let seen = 0;
        let last = descending ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
        await walk(store, { order: [{ field: 'size', descending }] }, (keys, sizes) => {
          seen += keys.length;
          for (const [i, key] of keys.entries()) {
            const size = sizes[i] ?? -1;
            if (descending ? size > last : size < last) throw new Error(`${size} after ${last}`);
            if (size !== (sizeOf(Number(key) - FIRST) ?? -1)) throw new Error(`${key} has ${size}`);
            last = size;
          }
        });
        expect(seen).toBe(DOCUMENTS);
        for (const value of [null, 1, 500, 999]) {
          await expectIndexed(engine, place, {
            order: [{ field: 'size', descending }],
            after: [value, MIDDLE],
          });
        }
      }
      await expectIndexed(engine, place, { after: [MIDDLE] });
      await expectIndexed(engine, place, { prefix: '1000', after: [String(FIRST + 50)] });
    });

    test(`${WORK_ITEMS} due items are claimed in order, a few at a time`, async (context) => {
      const place = await engine.place(context);
      const store = await place.open([large]);
      await fillWork(engine, place);
      expect(await store.work.stats()).toEqual({ waiting: WORK_ITEMS, leased: 0, parked: 0, oldestDueAt: 0 });
      expect((await store.work.kinds()).sort()).toEqual(['common', 'rare']);
      const request = { now: WORK_ITEMS, limit: 50, leaseMs: 600_000 };
      const rare = await store.work.claim({ ...request, kinds: ['rare'] });
      expect(rare.map((item) => item.dueAt)).toEqual(Array.from({ length: 50 }, (_, i) => i * 1000));
      const mixed = await store.work.claim({ ...request, kinds: ['common', 'rare'] });
      expect(mixed.map((item) => item.dueAt)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
      expect(await store.work.pending(WORK_ITEMS)).toBe(WORK_ITEMS);
      expect(await store.work.nextDue()).toBe(51);
    });
  });
}
