import { expect, test } from 'vitest';
import { layoutOf } from '../../../../src/kernel/store/sql/layout.ts';
import { pageStatement } from '../../../../src/kernel/store/sql/page.ts';
import type { Filter, NewChange, Position, Query, Store } from '../../../../src/kernel/store/types.ts';
import { changeRecords, workItems } from '../../../../src/kernel/store/views.ts';
import { type Engine, openNew } from './engines.ts';

const KINDS = ['alpha', 'Beta', 'émile'];

async function schedule(store: Store, count: number): Promise<void> {
  await store.transact(async (tx) => {
    for (let i = 0; i < count; i++) {
      const payload = { text: `"${i}" and 'more' \u0000`, deep: [i, null] };
      await tx.schedule({ id: `w/${String(i).padStart(3, '0')}`, kind: KINDS[i % 3]!, dueAt: 1000 - i + 0.5, payload });
    }
  });
}

/** Parks one item of the kind and leaves another one leased. */
async function parkAndLease(store: Store, kind: string): Promise<{ parked: string; leased: string }> {
  const [first, second] = await store.work.claim({ kinds: [kind], now: 2000, limit: 2, leaseMs: 60_000 });
  await store.transact((tx) => tx.park(first!, 'it went "wrong"\u0000'));
  return { parked: first!.id, leased: second!.id };
}

async function all(store: Store, query: Omit<Query, 'limit'>, limit: number) {
  const found = [];
  for (let after: Position | undefined; ; ) {
    const page = await store.query(workItems, { ...query, limit, ...(after && { after }) });
    found.push(...page.items);
    if (!page.next) return found;
    after = page.next;
  }
}

function write(subject: string, at: number): NewChange {
  return { source: 'test', kind: 'write', subject, outcome: 'Succeeded', at, data: { subject, list: [1] } };
}

export function viewTests(engine: Engine): void {
  test('due work is read like documents: one by its id, many filtered, ordered and paged', async (context) => {
    const store = await openNew(engine, context);
    await schedule(store, 9);
    const { parked, leased } = await parkAndLease(store, 'alpha');
    const one = await store.get(workItems, parked);
    expect(one?.value).toEqual({
      id: parked,
      kind: 'alpha',
      dueAt: 994.5,
      state: 'parked',
      attempts: 1,
      reason: 'it went "wrong"\ufffd',
      payload: JSON.stringify({ text: `"6" and 'more' \u0000`, deep: [6, null] }),
    });
    expect(await store.get(workItems, 'none')).toBeUndefined();
    const states = await store.query(workItems, {
      filter: { op: 'in', field: 'state', values: ['parked', 'leased'] },
      limit: 10,
    });
    expect(states.items.map(({ key }) => key)).toEqual([leased, parked]);
    expect(await store.count(workItems, { filter: { op: 'eq', field: 'state', value: 'waiting' } })).toBe(7);
    expect(await store.count(workItems, { filter: { op: 'eq', field: 'reason', value: null } })).toBe(8);
    for (const order of [
      [{ field: 'dueAt' }],
      [{ field: 'dueAt', descending: true }],
      [{ field: 'kind' }, { field: 'dueAt', descending: true }],
      [{ field: 'reason', descending: true }],
      [{ field: 'reason' }, { field: 'state' }],
    ]) {
      const whole = await all(store, { order }, 100);
      expect(whole).toHaveLength(9);
      expect(await all(store, { order }, 2)).toEqual(whole);
    }
    const byKind = await all(store, { order: [{ field: 'kind' }], filter: { op: 'ne', field: 'kind', value: 'x' } }, 4);
    expect([...new Set(byKind.map(({ value }) => value.kind))]).toEqual(['Beta', 'alpha', 'émile']);
    const keyed = await all(store, { filter: { op: 'ge', field: 'key', value: 'w/006' } }, 2);
    expect(keyed.map(({ key }) => key)).toEqual(['w/006', 'w/007', 'w/008']);
  });

  test('states of due work are found by the index, so that finding a few parked items is cheap', async (context) => {
    const place = await engine.place(context);
    const store = await place.open();
    await schedule(store, 600);
    const { parked, leased } = await parkAndLease(store, 'alpha');
    const found = async (filter: Filter) => (await all(store, { filter, order: [{ field: 'dueAt' }] }, 250)).length;
    const isParked = { op: 'eq', field: 'state', value: 'parked' } as const;
    const [item] = await all(store, { filter: isParked }, 10);
    expect(item?.key).toBe(parked);
    expect(await found({ op: 'not', arg: isParked })).toBe(599);
    expect(await found({ op: 'ne', field: 'state', value: 'waiting' })).toBe(2);
    expect(await found({ op: 'eq', field: 'state', value: 'toString' })).toBe(0);
    expect(await found({ op: 'ne', field: 'state', value: 'none' })).toBe(600);
    expect(await found({ op: 'in', field: 'state', values: ['parked', 'leased', 'none'] })).toBe(2);
    expect(await found({ op: 'not', arg: { op: 'in', field: 'state', values: [] } })).toBe(600);
    expect(await found({ op: 'and', args: [isParked, { op: 'eq', field: 'key', value: leased }] })).toBe(0);
    if (!engine.durable) return;
    if (engine.shared) await place.sql('ANALYZE cloudjar.work');
    const layout = layoutOf(workItems, engine.dialect);
    for (const after of [undefined, [994.5, 'w/006']]) {
      const query = { filter: isParked, order: [{ field: 'dueAt' }], limit: 100, ...(after && { after }) };
      const plan = await place.explain(pageStatement(layout, engine.dialect, query));
      expect(plan).toMatch(/USING INDEX work_(due|of_kind) \(state=\?|Index Cond: \(.*state = 2/);
      expect(plan).not.toMatch(/SCAN work|Seq Scan|TEMP B-TREE/);
    }
  });

  test('a parked item is rescheduled or cancelled in a transaction that has read it', async (context) => {
    const store = await openNew(engine, context);
    await schedule(store, 6);
    const { parked } = await parkAndLease(store, 'alpha');
    await store.transact(async (tx) => {
      const item = (await tx.get(workItems, parked))?.value;
      expect(item?.state).toBe('parked');
      await tx.schedule({ id: parked, kind: 'alpha', dueAt: 5, payload: JSON.parse(item?.payload ?? '') });
      expect((await tx.get(workItems, parked))?.value).toMatchObject({ state: 'waiting', attempts: 0, reason: null });
    });
    const [again] = await store.work.claim({ kinds: ['alpha'], now: 2000, limit: 1, leaseMs: 60_000 });
    expect(again).toMatchObject({ id: parked, attempts: 0, payload: { deep: [3, null] } });
    await store.transact((tx) => tx.park(again!, 'again'));
    expect(await store.transact((tx) => tx.cancel(parked))).toBe(true);
    expect(await store.get(workItems, parked)).toBeUndefined();
  });

  test('change records are read like documents, in the order of their numbers', async (context) => {
    const place = await engine.place(context);
    const store = await place.open();
    await store.transact(async (tx) => {
      for (let i = 0; i < 25; i++) await tx.change(write(`s${i % 2}`, i));
    });
    const feed = await store.changesAfter(undefined, 100);
    const query = { order: [{ field: 'number' }], limit: 7 } as const;
    const seen: string[] = [];
    for (let after: Position | undefined; ; ) {
      const page = await store.query(changeRecords, { ...query, ...(after && { after }) });
      for (const { key, value } of page.items) {
        seen.push(key);
        expect(value).toEqual({ ...write(value.subject, value.at), number: Number(key), data: expect.any(String) });
        expect(JSON.parse(value.data)).toEqual({ subject: value.subject, list: [1] });
      }
      if (!page.next) break;
      after = page.next;
    }
    expect(seen).toEqual(feed.map(({ cursor }) => cursor));
    const odd = { op: 'eq', field: 'subject', value: 's1' } as const;
    const late = { op: 'gt', field: 'at', value: 20 } as const;
    expect(await store.count(changeRecords, { filter: { op: 'and', args: [odd, late] } })).toBe(2);
    if (!engine.durable) return;
    const plan = await place.explain(
      pageStatement(layoutOf(changeRecords, engine.dialect), engine.dialect, { ...query, after: [3, seen[2]!] }),
    );
    expect(plan).toMatch(/PRIMARY KEY|changes_pkey|Bitmap/);
    expect(plan).not.toMatch(/TEMP B-TREE FOR ORDER BY/);
  });

  test('the views of the kernel cannot be written, and are no part of a snapshot', async (context) => {
    const store = await openNew(engine, context);
    await store.transact((tx) => tx.schedule({ id: 'a', kind: 'k', dueAt: 1, payload: null }));
    const item = (await store.get(workItems, 'a'))!.value;
    await expect(store.transact((tx) => tx.put(workItems, 'b', item))).rejects.toMatchObject({ code: 'BAD_QUERY' });
    await expect(store.transact((tx) => tx.delete(workItems, 'a'))).rejects.toMatchObject({ code: 'BAD_QUERY' });
    const parts = await store.capture([], async (captured) => {
      const names: string[] = [];
      for await (const part of captured) names.push(part.of === 'documents' ? part.collection : part.of);
      return names;
    });
    expect(parts).toContain('work');
    expect(parts).not.toContain(workItems.name);
  });

  test('old change records are forgotten up to a cursor, so many at a time, and numbers go on', async (context) => {
    const store = await openNew(engine, context);
    await store.transact(async (tx) => {
      for (let i = 0; i < 10; i++) await tx.change(write(`s${i}`, i));
    });
    const before = await store.changesAfter(undefined, 100);
    const forget = (upTo: string, limit: number) => store.transact((tx) => tx.forgetChanges(upTo, limit));
    expect(await forget(before[4]!.cursor, 3)).toBe(3);
    expect(await forget(before[4]!.cursor, 3)).toBe(2);
    expect(await forget(before[4]!.cursor, 3)).toBe(0);
    expect(await store.changesAfter(undefined, 100)).toEqual(before.slice(5));
    // A cursor of a removed record still works.
    expect(await store.changesAfter(before[2]!.cursor, 1)).toEqual([before[5]]);
    expect(await forget(before[9]!.cursor, 100)).toBe(5);
    expect(await store.newestCursor()).toBeUndefined();
    await store.transact((tx) => tx.change(write('next', 99)));
    const [next] = await store.changesAfter(undefined, 10);
    expect(next!.cursor > before[9]!.cursor).toBe(true);
    await expect(forget('nonsense', 1)).rejects.toMatchObject({ code: 'BAD_QUERY' });
  });
}
