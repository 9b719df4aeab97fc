import { describe, expect, test } from 'vitest';
import { collection, number, text } from '../../../src/kernel/store/collection.ts';
import { membersOf } from '../../../src/kernel/store/document.ts';
import type { Filter, Position, Store } from '../../../src/kernel/store/types.ts';
import { type Engine, file, postgres } from './contract/engines.ts';
import { inBox, type Letter, letters } from './contract/letters.ts';
import { fill, keysOf } from './contract/search.ts';

/** Enough for several search strategies: see the limits in `search-page.ts`. */
const MANY = 6000;

const NEWEST_FIRST = [{ field: 'at', descending: true }];

const inTable = (engine: Engine, name: string): string => engine.dialect.table(name);

/** For each word, the documents that contain it. */
const IS_IN: Readonly<Record<string, (i: number) => boolean>> = {
  always: () => true,
  often: (i) => i % 3 === 0,
  occasionally: (i) => i % 40 === 7,
  seldom: (i) => i % 1000 === 3,
  once: (i) => i === 4321,
  early: (i) => i < 700,
  bygone: (i) => i < 3000,
};

const manyLetters = Array.from({ length: MANY }, (_, i): [string, Letter] => {
  const words = Object.keys(IS_IN).filter((word) => IS_IN[word]!(i));
  const letter = { box: i % 5 === 4 ? 'other' : 'b', at: i, read: i % 2 === 0, body: words.join(' and ') };
  return [`k${String((i * 7919) % MANY).padStart(6, '0')}`, letter];
});

/** The times of the letters to be found, newest first. */
const timesOf = (test: (i: number) => boolean): number[] =>
  Array.from({ length: MANY }, (_, i) => MANY - 1 - i).filter((i) => i % 5 !== 4 && test(i));

/** The times of the letters on the first pages. */
async function found(store: Store, filter: Filter, { limit, pages }: { limit: number; pages: number }) {
  const times: (number | null | undefined)[] = [];
  let after: Position | undefined;
  for (let n = 0; n < pages && (n === 0 || after); n++) {
    const page = await store.query(letters, { filter, order: NEWEST_FIRST, limit, ...(after && { after }) });
    times.push(...page.items.map(({ value }) => value.at));
    after = page.next;
  }
  return times;
}

for (const engine of [file, postgres]) {
  describe(`${engine.name}: a declaration of full text that changes`, () => {
    const fields = { box: text<Letter>((letter) => letter.box) };
    const plain = collection<Letter>('test.letters', { fields });
    const subjects = collection<Letter>('test.letters', {
      fields,
      search: { parts: ['subject'], within: 'box', of: ({ subject }) => ({ subject }) },
    });
    const everywhere = collection<Letter>('test.letters', {
      fields,
      search: { parts: ['body', 'subject'], of: ({ subject, body }) => ({ body, subject }) },
    });
    const anywhere = (part: string, phrase: string): Filter => ({ op: 'matches', parts: [part], phrase });

    test('is followed at the start, from none to some, to others and back', async (context) => {
      const place = await engine.place(context);
      let store = await place.open([plain]);
      const documents: [string, Letter][] = [
        ['a', { box: 'b', subject: 'one two', body: 'three' }],
        ['b', { box: 'b', subject: 'two', body: 'one' }],
      ];
      await store.transact((tx) => tx.putAll(plain, documents));
      const reopened = async (declared: typeof plain): Promise<Store> => {
        await store.close();
        store = await place.open([declared]);
        return store;
      };
      await reopened(subjects);
      const keys = async (filter: Filter) =>
        (await store.query(subjects, { filter, limit: 9 })).items.map(({ key }) => key);
      expect(await keys(inBox('b', 'one', { parts: ['subject'] }))).toEqual(['a']);
      await expect(keys(inBox('b', 'one', { parts: ['body'] }))).rejects.toMatchObject({ code: 'BAD_QUERY' });
      await store.transact((tx) => tx.put(subjects, 'c', { box: 'b', subject: 'one', body: 'four' }));
      expect(await keys(inBox('b', 'one', { parts: ['subject'] }))).toEqual(['a', 'c']);

      await reopened(everywhere);
      const anyFound = async (part: string, phrase: string) =>
        (await store.query(everywhere, { filter: anywhere(part, phrase), limit: 9 })).items.map(({ key }) => key);
      expect(await anyFound('body', 'one')).toEqual(['b']);
      expect(await anyFound('subject', 'one')).toEqual(['a', 'c']);

      await reopened(plain);
      await store.transact(async (tx) => {
        await tx.delete(plain, 'a');
        await tx.put(plain, 'b', { box: 'b', subject: 'one' });
      });
      expect(await store.count(plain, { filter: { op: 'eq', field: 'box', value: 'b' } })).toBe(2);
      await reopened(subjects);
      expect(await keys(inBox('b', 'one', { parts: ['subject'] }))).toEqual(['b', 'c']);
      expect(await keys(inBox('b', 'two', { parts: ['subject'] }))).toEqual([]);
    });

    test('counts a raised version as a change, and searches upgraded documents', async (context) => {
      const place = await engine.place(context);
      const first = collection<{ readonly text: string }>('test.notes', {
        search: { parts: ['text'], of: (note) => ({ text: note.text }) },
      });
      const second = collection<{ readonly words: string }>('test.notes', {
        search: { parts: ['text'], of: (note) => ({ text: note.words }) },
        version: 2,
        release: '0.2.0',
        upgrade: (document) => ({ words: `upgraded ${membersOf(document).text}` }),
      });
      const store = await place.open([first]);
      await store.transact((tx) => tx.put(first, 'a', { text: 'old words' }));
      await store.close();
      const later = await place.open([second]);
      expect(await later.count(second, { filter: anywhere('text', 'upgraded old') })).toBe(1);
      await later.transact((tx) => tx.put(second, 'a', { words: 'new' }));
      expect(await later.count(second, { filter: anywhere('text', 'old') })).toBe(0);
    });
  });

  describe(`${engine.name}: the index of full text`, () => {
    test('is not written where the texts of a document stay as they are', async (context) => {
      const place = await engine.place(context);
      const store = await place.open([letters]);
      const written = async (): Promise<unknown> => {
        if (engine === postgres)
          return place.sql(`SELECT key, xmin::text FROM ${inTable(engine, 'w.test.letters')} ORDER BY key`);
        return place.sql(
          'SELECT count(*), CAST(max(id) AS text) AS last, sum(length(block)) FROM "x.test.letters_data"',
        );
      };
      const letter: Letter = { box: 'b', at: 1, read: false, subject: 'same', body: 'text' };
      await fill(store, { a: letter, b: letter });
      const before = await written();
      await store.transact((tx) => tx.put(letters, 'a', { ...letter, read: true, tags: ['seen'] }));
      await fill(store, { a: { ...letter, at: 5 }, b: { ...letter, at: 6 } });
      expect(await written()).toEqual(before);
      await store.transact((tx) => tx.put(letters, 'a', { ...letter, subject: 'other' }));
      expect(await written()).not.toEqual(before);
      expect(await keysOf(store, inBox('b', 'same'))).toEqual(['b']);
    });

    test('finds words of any frequency, wherever they are, page by page', async (context) => {
      const store = await (await engine.place(context)).open([letters]);
      await store.transact((tx) => tx.putAll(letters, manyLetters));
      const read: Filter = { op: 'eq', field: 'read', value: true };
      for (const [word, test] of Object.entries(IS_IN)) {
        const times = timesOf(test);
        expect(await found(store, inBox('b', word), { limit: 25, pages: 2 })).toEqual(times.slice(0, 50));
        expect(await store.count(letters, { filter: inBox('b', word) })).toBe(times.length);
        const both: Filter = { op: 'and', args: [inBox('b', word.slice(0, -1), { prefix: true }), read] };
        const even = times.filter((i) => i % 2 === 0);
        expect(await found(store, both, { limit: 300, pages: 3 })).toEqual(even.slice(0, 900));
      }
      const all = { limit: 700, pages: MANY };
      expect(await found(store, inBox('b', 'always'), all)).toEqual(timesOf(IS_IN.always!));
      expect(await found(store, inBox('b', 'always and often'), all)).toEqual(timesOf(IS_IN.often!));
      const and = (...args: Filter[]): Filter => ({ op: 'and', args });
      const recent = and(inBox('b', 'always'), { op: 'not', arg: inBox('b', 'bygone') });
      expect(await found(store, recent, all)).toEqual(timesOf((i) => i >= 3000));
      const single = and(inBox('b', 'always'), inBox('b', 'o', { prefix: true }), inBox('b', 'once'));
      expect(await found(store, single, all)).toEqual([4321]);
    });
  });
}

describe('full text on PostgreSQL, with several nodes', () => {
  test('is that of the document, whichever of them wrote it last', async (context) => {
    const place = await postgres.place(context);
    const nodes = await Promise.all([place.open([letters]), place.open([letters])]);
    await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        nodes[i % 2]!.transact(async (tx) => {
          if (i % 7 === 3) await tx.delete(letters, 'a');
          else if (i % 3 === 0) await tx.putAll(letters, [['a', { box: 'b', subject: `writer${i % 5}`, at: i }]]);
          else await tx.put(letters, 'a', { box: 'b', subject: `writer${i % 5}`, at: i });
        }),
      ),
    );
    const subject = (await nodes[0].get(letters, 'a'))?.value.subject;
    for (let i = 0; i < 5; i++)
      expect(await keysOf(nodes[1], inBox('b', `writer${i}`))).toEqual(subject === `writer${i}` ? ['a'] : []);
  });

  test('follows nodes of a release that knows nothing of it', async (context) => {
    interface Note {
      readonly text: string;
    }
    const before = collection<Note>('test.notes', { fields: { size: number((note) => note.text.length) } });
    const shared = collection<Note>('test.notes', {
      fields: { size: number((note) => note.text.length) },
      search: { parts: ['text'], of: (note) => ({ text: note.text }) },
      version: 2,
      release: '0.2.0',
      sharedWith: { version: 1 },
      upgrade: (document) => ({ text: String(membersOf(document).text) }),
    });
    const place = await postgres.place(context);
    const old = await place.open([before], '0.1.0');
    await old.transact((tx) => tx.put(before, 'a', { text: 'first words' }));
    const fresh = await place.open([shared], '0.2.0');
    const found = async (phrase: string): Promise<string[]> => {
      const filter: Filter = { op: 'matches', parts: ['text'], phrase };
      return (await fresh.query(shared, { filter, limit: 9 })).items.map(({ key }) => key);
    };
    expect(await found('first words')).toEqual(['a']);
    await old.transact(async (tx) => {
      await tx.put(before, 'a', { text: 'other words' });
      await tx.put(before, 'b', { text: 'first' });
    });
    await expect.poll(() => found('first')).toEqual(['b']);
    await expect.poll(() => found('other words')).toEqual(['a']);
    await old.transact((tx) => tx.delete(before, 'a'));
    expect(await found('other words')).toEqual([]);
    await fresh.transact((tx) => tx.put(shared, 'a', { text: '' }));
    expect(await found('other words')).toEqual([]);
    const again = await place.open([before], '0.1.0');
    expect((await again.get(before, 'b'))?.value.text).toBe('first');
  });
});
