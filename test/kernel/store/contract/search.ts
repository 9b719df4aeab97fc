import { expect, test } from 'vitest';
import type { Filter, Query, Store } from '../../../../src/kernel/store/types.ts';
import type { Engine } from './engines.ts';
import { inBox, type Letter, letters, notes } from './letters.ts';

export async function fill(store: Store, documents: Readonly<Record<string, Letter>>): Promise<void> {
  await store.transact((tx) => tx.putAll(letters, Object.entries(documents)));
}

export async function keysOf(store: Store, filter: Filter, query: Partial<Query> = {}): Promise<string[]> {
  const page = await store.query(letters, { limit: 1000, ...query, filter });
  return page.items.map(({ key }) => key);
}

export function searchTests(engine: Engine): void {
  const open = async (context: Parameters<Engine['place']>[0]): Promise<Store> =>
    (await engine.place(context)).open([letters, notes]);

  test('words, beginnings of words and phrases are found in the parts that are asked for', async (context) => {
    const store = await open(context);
    await fill(store, {
      a: { box: 'b', subject: 'Quarterly report', body: 'Numbers of the third quarter, as promised.' },
      b: { box: 'b', subject: 'Lunch', body: 'Report to the kitchen: quarterly, always.' },
      c: { box: 'b', subject: 'Re: quarterly REPORTS', to: ['Ada <ada@vendor.example>', 'bob@vendor.example'] },
    });
    const subject = { parts: ['subject'] };
    expect(await keysOf(store, inBox('b', 'report'))).toEqual(['a', 'b']);
    expect(await keysOf(store, inBox('b', 'report', subject))).toEqual(['a']);
    expect(await keysOf(store, inBox('b', 'rep', { ...subject, prefix: true }))).toEqual(['a', 'c']);
    expect(await keysOf(store, inBox('b', 'rep', subject))).toEqual([]);
    expect(await keysOf(store, inBox('b', 'quarterly report'))).toEqual(['a']);
    expect(await keysOf(store, inBox('b', 'quarterly rep', { prefix: true }))).toEqual(['a', 'c']);
    expect(await keysOf(store, inBox('b', 'report quarterly'))).toEqual([]);
    expect(await keysOf(store, inBox('b', 'quarter', { parts: ['subject', 'body'] }))).toEqual(['a']);
    expect(await keysOf(store, inBox('b', 'quarter', { parts: [] }))).toEqual([]);
  });
}
