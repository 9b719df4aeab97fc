import { expect, test } from 'vitest';
import type { Filter, Query, Store } from '../../../../src/kernel/store/types.ts';
import { type Engine, engines } from './engines.ts';
import { ALL_PARTS, inBox, type Letter, letters, notes } from './letters.ts';
import { captured, restored } from './snapshots.ts';

const NEWEST_FIRST = [{ field: 'at', descending: true }];

export async function fill(store: Store, documents: Readonly<Record<string, Letter>>): Promise<void> {
  await store.transact((tx) => tx.putAll(letters, Object.entries(documents)));
}

export async function keysOf(
  store: Pick<Store, 'query'>,
  filter: Filter,
  query: Partial<Query> = {},
): Promise<string[]> {
  const page = await store.query(letters, { limit: 1000, ...query, filter });
  return page.items.map(({ key }) => key);
}

const and = (...args: Filter[]): Filter => ({ op: 'and', args });
const or = (...args: Filter[]): Filter => ({ op: 'or', args });
const not = (arg: Filter): Filter => ({ op: 'not', arg });

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
    expect(await keysOf(store, inBox('b', ' … '))).toEqual([]);
    expect(await keysOf(store, not(inBox('b', '')))).toEqual(['a', 'b', 'c']);
  });

  test('addresses are phrases, and no phrase goes from one text of a part to the next, or to another part', async (context) => {
    const store = await open(context);
    await fill(store, {
      a: { box: 'b', to: ['ada@vendor.example', 'bob@vendor.example'], body: 'example end' },
      b: { box: 'b', to: ['ada@vendor.example.net'], subject: 'end', body: 'bob' },
    });
    const to = { parts: ['to'] };
    expect(await keysOf(store, inBox('b', 'ada@vendor.example', to))).toEqual(['a', 'b']);
    expect(await keysOf(store, inBox('b', 'BOB@vendor', to))).toEqual(['a']);
    expect(await keysOf(store, inBox('b', 'example bob', to))).toEqual([]);
    expect(await keysOf(store, inBox('b', 'example end'))).toEqual(['a']);
    expect(await keysOf(store, inBox('b', 'net end'))).toEqual([]);
    expect(await keysOf(store, inBox('b', 'end bob'))).toEqual([]);
  });

  test('case, accents and width do not count, and texts without blanks are found by any run of characters', async (context) => {
    const store = await open(context);
    await fill(store, {
      a: { box: 'b', subject: 'Ärger in der Straße' },
      b: { box: 'b', subject: '東京都の会議' },
      c: { box: 'b', subject: 'ｆｕｌｌ width' },
    });
    expect(await keysOf(store, inBox('b', 'ARGER'))).toEqual(['a']);
    expect(await keysOf(store, inBox('b', 'der STRASSE'))).toEqual(['a']);
    expect(await keysOf(store, inBox('b', '京都'))).toEqual(['b']);
    expect(await keysOf(store, inBox('b', '都京'))).toEqual([]);
    expect(await keysOf(store, inBox('b', '会', { prefix: true }))).toEqual(['b']);
    expect(await keysOf(store, inBox('b', 'Full', { prefix: true }))).toEqual(['c']);
  });

  test('a search is within one value of the scope, and documents without one are not found', async (context) => {
    const store = await open(context);
    await fill(store, {
      a: { box: 'one', subject: 'word' },
      b: { box: 'two', subject: 'word' },
      c: { subject: 'word' },
      d: { box: 'one', subject: 'other' },
    });
    expect(await keysOf(store, inBox('one', 'word'))).toEqual(['a']);
    expect(await keysOf(store, inBox('three', 'word'))).toEqual([]);
    expect(await keysOf(store, not(inBox('one', 'word')))).toEqual(['b', 'c', 'd']);
    expect(await keysOf(store, or(inBox('one', 'word'), inBox('two', 'word')))).toEqual(['a', 'b']);
    expect(await keysOf(store, and(inBox('one', 'word'), inBox('two', 'word')))).toEqual([]);
    expect(await store.count(letters, { filter: inBox('two', 'word') })).toBe(1);
    await store.transact((tx) => tx.put(letters, 'a', { box: 'two', subject: 'word' }));
    expect(await keysOf(store, inBox('one', 'word'))).toEqual([]);
    expect(await keysOf(store, inBox('two', 'word'))).toEqual(['a', 'b']);
  });

  test('searches are joined with one another and with every other filter', async (context) => {
    const store = await open(context);
    await fill(store, {
      a: { box: 'b', at: 1, read: true, subject: 'budget draft', body: 'from finance' },
      b: { box: 'b', at: 2, read: false, subject: 'budget', tags: ['red'] },
      c: { box: 'b', at: 3, read: false, subject: 'draft', body: 'budget' },
      d: { box: 'b', at: 4, read: true, subject: 'lunch', tags: ['red'] },
    });
    const budget = inBox('b', 'budget');
    const draft = inBox('b', 'draft');
    const unread: Filter = { op: 'eq', field: 'read', value: false };
    const red: Filter = { op: 'has', field: 'tags', value: 'red' };
    expect(await keysOf(store, and(budget, draft))).toEqual(['a', 'c']);
    expect(await keysOf(store, and(budget, not(draft)))).toEqual(['b']);
    expect(await keysOf(store, or(draft, red))).toEqual(['a', 'b', 'c', 'd']);
    expect(await keysOf(store, and(unread, budget))).toEqual(['b', 'c']);
    expect(await keysOf(store, and(budget, or(red, draft), unread))).toEqual(['b', 'c']);
    expect(await keysOf(store, and(or(budget, inBox('b', 'lunch')), red))).toEqual(['b', 'd']);
    expect(await keysOf(store, not(or(budget, not(red))))).toEqual(['d']);
    expect(await keysOf(store, and(budget, not(unread)), { order: NEWEST_FIRST })).toEqual(['a']);
    expect(await keysOf(store, budget, { order: NEWEST_FIRST })).toEqual(['c', 'b', 'a']);
    expect(await keysOf(store, budget, { order: NEWEST_FIRST, skip: 1, limit: 1 })).toEqual(['b']);
    expect(await keysOf(store, budget, { prefix: 'c' })).toEqual(['c']);
    expect(await store.count(letters, { filter: and(budget, unread) })).toBe(2);
    expect(await store.count(letters, { filter: budget, prefix: 'c' })).toBe(1);
    expect(await store.count(letters, { filter: not(budget) })).toBe(1);
  });

  test('the index follows every write, in the transaction of it', async (context) => {
    const store = await open(context);
    const found = (word: string, from: Pick<Store, 'query'> = store) => keysOf(from, inBox('b', word));
    await store.transact(async (tx) => {
      await tx.put(letters, 'a', { box: 'b', subject: 'first' });
      expect(await found('first', tx)).toEqual(['a']);
    });
    await store.transact(async (tx) => {
      await tx.put(letters, 'a', { box: 'b', subject: 'second' }, { ifMatch: '*' });
      await tx.putAll(letters, [
        ['b', { box: 'b', subject: 'second' }],
        ['c', { box: 'b' }],
      ]);
    });
    expect([await found('first'), await found('second')]).toEqual([[], ['a', 'b']]);
    await store.transact((tx) =>
      tx.putAll(letters, [
        ['c', { box: 'b', subject: 'third' }],
        ['b', { box: 'b' }],
      ]),
    );
    expect([await found('second'), await found('third')]).toEqual([['a'], ['c']]);
    const undone = store.transact(async (tx) => {
      await tx.put(letters, 'a', { box: 'b', subject: 'never' });
      await tx.put(letters, 'z', { box: 'b', subject: 'never' });
      await tx.delete(letters, 'c');
      expect(await found('never', tx)).toEqual(['a', 'z']);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect([await found('second'), await found('third'), await found('never')]).toEqual([['a'], ['c'], []]);
    await expect(
      store.transact((tx) => tx.put(letters, 'a', { box: 'b', subject: 'refused' }, { ifMatch: 'other' })),
    ).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    expect(await found('refused')).toEqual([]);
    expect(await store.transact((tx) => tx.delete(letters, 'a'))).toBe(true);
    expect(await found('second')).toEqual([]);
    await store.transact((tx) => tx.put(letters, 'a', { box: 'b', subject: 'again' }, { ifNoneMatch: '*' }));
    expect(await found('again')).toEqual(['a']);
  });

  test('a wipe empties the index, and its seed is found', async (context) => {
    const store = await open(context);
    await fill(store, { a: { box: 'b', subject: 'old' } });
    await store.transact((tx) => tx.put(notes, 'n', { text: 'old' }));
    await store.wipe(async (tx) => {
      await tx.put(letters, 'a', { box: 'b', subject: 'new' });
    });
    expect(await keysOf(store, inBox('b', 'old'))).toEqual([]);
    expect(await keysOf(store, inBox('b', 'new'))).toEqual(['a']);
    const old: Filter = { op: 'matches', parts: ['text'], phrase: 'old' };
    expect(await store.count(notes, { filter: old })).toBe(0);
    await expect(
      store.wipe(async () => {
        throw new Error('not now');
      }),
    ).rejects.toThrow('not now');
    expect(await keysOf(store, inBox('b', 'new'))).toEqual(['a']);
  });

  test.for(engines.map(({ name }) => name))(
    'what was captured here is found after it was loaded by %s',
    async (name, context) => {
      const store = await open(context);
      await fill(store, {
        a: { box: 'b', at: 1, subject: 'Captured übermorgen', body: 'x y' },
        b: { box: 'b', at: 2, subject: 'captured', to: ['x', 'y'] },
        c: { box: 'b' },
      });
      const parts = await captured(store);
      const place = await engines.find((each) => each.name === name)!.place(context);
      const other = await place.open([letters, notes]);
      await fill(other, { z: { box: 'b', subject: 'captured before' } });
      await restored(other, parts);
      expect(await captured(other)).toEqual(parts);
      expect(await keysOf(other, inBox('b', 'captured'), { order: NEWEST_FIRST })).toEqual(['b', 'a']);
      expect(await keysOf(other, inBox('b', 'x y'))).toEqual(['a']);
      expect(await keysOf(other, inBox('b', 'before'))).toEqual([]);
    },
  );

  test('signs of the query languages of the engines are plain text', async (context) => {
    const store = await open(context);
    const signs = ['"', "'", '*', ':', ':*', '&', '|', '!', '<->', '(', ')', '{', '}', '^', '+', '-', '\\', '%', '_'];
    const words = ['AND', 'OR', 'NOT', 'NEAR', 'rowid', 'words', 'NULL'];
    await fill(store, {
      a: { box: 'b', subject: signs.join(' '), body: words.join(' ') },
      b: { box: 'b', subject: 'plain', body: "it's 5:30 & counting \\ 'quoted' \"twice\"" },
    });
    for (const sign of signs) {
      expect(await keysOf(store, inBox('b', sign)), sign).toEqual([]);
      expect(await keysOf(store, inBox('b', `plain${sign}`)), sign).toEqual(['b']);
      expect(await keysOf(store, inBox('b', `${sign}plai${sign}`, { prefix: true })), sign).toEqual(['b']);
    }
    for (const word of words) expect(await keysOf(store, inBox('b', word)), word).toEqual(['a']);
    expect(await keysOf(store, inBox('b', 'near" OR "plain'))).toEqual([]);
    expect(await keysOf(store, inBox('b', 'AND or'))).toEqual(['a']);
    expect(await keysOf(store, inBox('b', "5:30 & counting \\ 'quoted'"))).toEqual(['b']);
  });

  test('hostile texts are stored, and found as far as they are indexed', async (context) => {
    const store = await open(context);
    const distinct = Array.from({ length: 100_000 }, (_, i) => `w${i}`).join(' ');
    await fill(store, {
      a: { box: 'b', body: 'before\u0000after \ud800lone\udc00 end' },
      b: { box: 'b', body: `${'x'.repeat(1_000_000)} never` },
      c: { box: 'b', body: distinct },
      d: { box: 'b', body: `${'same '.repeat(30_000)}last` },
      e: { box: 'b', body: `${'東'.repeat(20_000)}京` },
      f: { box: 'b', body: Array.from({ length: 20_000 }, (_, i) => `${i}${'\u{16f00}'.repeat(70)}`).join(' ') },
      g: { box: 'b', to: Array.from({ length: 50_000 }, (_, i) => `person${i}`), body: 'unreached' },
      h: { box: 'b\u0000\ud800', body: 'odd box' },
    });
    const found = (phrase: string, prefix = false) => keysOf(store, inBox('b', phrase, { prefix }));
    expect(await found('before after lone end')).toEqual(['a']);
    expect(await found('before\u0000after')).toEqual(['a']);
    expect(await found('x'.repeat(500_000))).toEqual(['b']);
    expect(await found('x'.repeat(30), true)).toEqual(['b']);
    expect(await found('w15998 w15999')).toEqual(['c']);
    expect(await found('w16000')).toEqual([]);
    expect(await found('same same same')).toEqual(['d']);
    expect(await found('same last')).toEqual([]);
    expect(await found('東東')).toEqual(['e']);
    expect(await found('東京')).toEqual([]);
    expect(await found('10', true)).toEqual(['f']);
    expect(await found('person7')).toEqual(['g']);
    expect(await found('unreached')).toEqual([]);
    expect(await keysOf(store, inBox('b\u0000\ud800', 'odd'))).toEqual(['h']);
  });

  test('long and odd filters are answered, and those that do not fit the collection refused', async (context) => {
    const store = await open(context);
    await fill(store, { a: { box: 'b', subject: 'w7 rest' } });
    const many = Array.from({ length: 500 }, (_, i) => inBox('b', `w${i}`));
    expect(await keysOf(store, or(...many))).toEqual(['a']);
    expect(await keysOf(store, and(...many))).toEqual([]);
    expect(await keysOf(store, and(...many.map(() => inBox('b', 'w7'))))).toEqual(['a']);
    const bad = (filter: Filter, message: RegExp) =>
      expect(store.query(letters, { filter, limit: 5 })).rejects.toMatchObject({
        code: 'BAD_QUERY',
        message: expect.stringMatching(message),
      });
    const { parts } = { parts: ALL_PARTS };
    await bad(inBox('b', 'x', { parts: ['nope'] }), /'nope' is not a part of the full text of test.letters/);
    await bad({ op: 'matches', parts, phrase: 'x' }, /test.letters is searched within one 'box'/);
    await bad(not({ op: 'matches', parts, phrase: 'x' }), /test.letters is searched within one 'box'/);
    await bad(inBox('b', 'x '.repeat(201)), /a phrase to search for has at most 200 words/);
    await bad(and(inBox('b', 'x'), { op: 'eq', field: 'nope', value: 1 }), /'nope' is not a field/);
    await bad(
      and(inBox('b', 'x'), or(inBox('b', 'y'), { op: 'eq', field: 'nope', value: 1 })),
      /'nope' is not a field/,
    );
    const scoped = store.query(notes, {
      filter: { op: 'matches', within: 'b', parts: ['text'], phrase: 'x' },
      limit: 1,
    });
    await expect(scoped).rejects.toMatchObject({
      code: 'BAD_QUERY',
      message: 'the full text of test.notes has no scope',
    });
    await expect(
      store.query(letters, { filter: inBox('b', 'x'), order: [{ field: 'tags' }], limit: 1 }),
    ).rejects.toThrow(/cannot be ordered by 'tags'/);
    await expect(store.query(letters, { filter: inBox('b', 'x'), after: ['a'], skip: 1, limit: 1 })).rejects.toThrow(
      /cannot skip documents/,
    );
  });
}
