import { expect, test } from 'vitest';
import type { Change, Store } from '../../../../src/kernel/store/types.ts';
import { counters, type Engine, openNew, things } from './engines.ts';

const WRITERS = 8;
const WRITES = 40;

function change(subject: string) {
  return { source: 'test', kind: 'write', subject, outcome: 'Succeeded', at: 12.5, data: { subject } } as const;
}

/** Follows the feed during the writes and then to its end, with pages that are deliberately too small. */
export async function follow(store: Store, writing: Promise<unknown>): Promise<Change[]> {
  let written = false;
  const done = writing.then(() => {
    written = true;
  });
  const seen: Change[] = [];
  for (;;) {
    const last = written;
    const page = await store.changesAfter(seen.at(-1)?.cursor, 7);
    seen.push(...page);
    if (page.length === 0 && last) break;
    if (page.length === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await done;
  return seen;
}

export function feedTests(engine: Engine): void {
  test('a change record comes back whole, and the newest cursor is its', async (context) => {
    const store = await openNew(engine, context);
    expect(await store.newestCursor()).toBeUndefined();
    expect(await store.changesAfter(undefined, 10)).toEqual([]);
    await store.transact((tx) => tx.change(change('a\u0000b')));
    const [record] = await store.changesAfter(undefined, 10);
    expect(record).toEqual({ ...change('a\ufffdb'), data: { subject: 'a\u0000b' }, cursor: expect.any(String) });
    expect(await store.newestCursor()).toBe(record?.cursor);
    expect(await store.changesAfter(record?.cursor, 10)).toEqual([]);
  });

  test('the records of a transaction follow in the order in which it made them', async (context) => {
    const store = await openNew(engine, context);
    const subjects = Array.from({ length: 25 }, (_, i) => `s${i}`);
    const writing = store.transact(async (tx) => {
      for (const subject of subjects) await tx.change(change(subject));
    });
    expect((await follow(store, writing)).map((record) => record.subject)).toEqual(subjects);
  });

  test('a reader that follows while many write gets every record once, and cursors in order', async (context) => {
    const store = await openNew(engine, context);
    const expected = new Set<string>();
    const writer = async (w: number) => {
      for (let i = 0; i < WRITES; i++) {
        const fails = i % 5 === 4;
        if (!fails) expected.add(`${w}-${i}`).add(`${w}-${i} again`);
        const written = store.transact(async (tx) => {
          // The first and the last write of each transaction is a record, so that transactions overlap while they draw their numbers.
          await tx.change(change(`${w}-${i}`));
          await tx.put(things, `${w}-${i}`, {});
          await tx.change(change(`${w}-${i} again`));
          if (fails) throw new Error('taken back');
        });
        const [{ status, reason }] = (await Promise.allSettled([written])) as [{ status: string; reason?: Error }];
        expect([status, reason?.message]).toEqual(fails ? ['rejected', 'taken back'] : ['fulfilled', undefined]);
      }
    };
    const seen = await follow(store, Promise.all(Array.from({ length: WRITERS }, (_, w) => writer(w))));
    expect(new Set(seen.map((record) => record.subject))).toEqual(expected);
    expect(seen).toHaveLength(expected.size);
    const cursors = seen.map((record) => record.cursor);
    expect(cursors).toEqual(cursors.toSorted());
    expect(await store.changesAfter(cursors.at(-1), 10)).toEqual([]);
  });

  test('a cursor from elsewhere is refused', async (context) => {
    const store = await openNew(engine, context);
    await expect(store.changesAfter('nonsense', 10)).rejects.toMatchObject({ code: 'BAD_QUERY' });
  });

  test('a hook is called for every change within its transaction, and its writes commit or roll back with it', async (context) => {
    const store = await openNew(engine, context);
    const told: string[] = [];
    store.onChange(async (tx, { subject }) => {
      told.push(subject);
      await tx.put(counters, subject, { count: 1 });
    });
    store.onChange(() => undefined);
    await store.transact(async (tx) => {
      await tx.change(change('a'));
      expect(await tx.get(counters, 'a')).toBeDefined();
      await tx.change(change('b'));
    });
    const failing = store.transact(async (tx) => {
      await tx.change(change('c'));
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    expect(told).toEqual(['a', 'b', 'c']);
    expect((await store.query(counters, { limit: 10 })).items.map(({ key }) => key)).toEqual(['a', 'b']);
  });

  test('a hook that fails takes the change back with all else', async (context) => {
    const store = await openNew(engine, context);
    store.onChange(async () => {
      throw new Error('no');
    });
    await expect(store.transact((tx) => tx.change(change('a')))).rejects.toThrow('no');
    expect(await store.changesAfter(undefined, 10)).toEqual([]);
  });

  test('a transaction sees the newest change and those after a cursor, its own included', async (context) => {
    const store = await openNew(engine, context);
    expect(await store.transact((tx) => tx.newestChange())).toBeUndefined();
    expect(await store.transact((tx) => tx.changesAfter(undefined, 10))).toEqual([]);
    await store.transact((tx) => tx.change(change('a')));
    const first = await store.newestCursor();
    await store.transact(async (tx) => {
      expect(await tx.newestChange()).toBe(first);
      await tx.change(change('b'));
      await tx.change(change('c'));
      const seen = await tx.changesAfter(first, 10);
      expect(seen.map(({ subject }) => subject)).toEqual(['b', 'c']);
      expect(await tx.newestChange()).toBe(seen[1]?.cursor);
      expect(await tx.changesAfter(undefined, 2)).toHaveLength(2);
      await expect(tx.changesAfter('nonsense', 2)).rejects.toMatchObject({ code: 'BAD_QUERY' });
    });
  });
}
