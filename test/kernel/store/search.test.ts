import { describe, expect, test } from 'vitest';
import { collection, number, text } from '../../../src/kernel/store/collection.ts';
import { membersOf } from '../../../src/kernel/store/document.ts';
import type { Filter, Position, Store } from '../../../src/kernel/store/types.ts';
import { type Engine, file, postgres } from './contract/engines.ts';
import { inBox, type Letter, letters } from './contract/letters.ts';
import { fill, keysOf } from './contract/search.ts';

/** Enough for every way to a page: see the bounds of `search-page.ts`. */
const MANY = 12_000;

const NEWEST_FIRST = [{ field: 'at', descending: true }];

const inTable = (engine: Engine, name: string): string => engine.dialect.table(name);

async function pages(store: Store, filter: Filter, limit: number): Promise<number[]> {
  const found: number[] = [];
  for (let after: Position | undefined; ; ) {
    const page = await store.query(letters, { filter, order: NEWEST_FIRST, limit, ...(after && { after }) });
    found.push(...page.items.map(({ value }) => value.at!));
    if (!page.next) return found;
    after = page.next;
  }
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
      const found = async (filter: Filter) =>
        (await store.query(subjects, { filter, limit: 9 })).items.map(({ key }) => key);
      expect(await found(inBox('b', 'one', { parts: ['subject'] }))).toEqual(['a']);
      await expect(found(inBox('b', 'one', { parts: ['body'] }))).rejects.toMatchObject({ code: 'BAD_QUERY' });
      await store.transact((tx) => tx.put(subjects, 'c', { box: 'b', subject: 'one', body: 'four' }));
      expect(await found(inBox('b', 'one', { parts: ['subject'] }))).toEqual(['a', 'c']);

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
      expect(await found(inBox('b', 'one', { parts: ['subject'] }))).toEqual(['b', 'c']);
      expect(await found(inBox('b', 'two', { parts: ['subject'] }))).toEqual([]);
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
        return place.sql('SELECT count(*), CAST(max(id) AS text) AS last, sum(length(block)) FROM "x.test.letters_data"');
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

    test(`finds words of any frequency in ${MANY} documents, page by page, wherever they are`, {
      timeout: 120_000,
    }, async (context) => {
      const place = await engine.place(context);
      const store = await place.open([letters]);
      const isIn: Readonly<Record<string, (i: number) => boolean>> = {
        always: () => true,
        often: (i) => i % 3 === 0,
        'now and then': (i) => i % 40 === 7,
        seldom: (i) => i % 2000 === 3,
        once: (i) => i === 4321,
        early: (i) => i < 700,
        'early in great numbers': (i) => i < 10_500,
      };
      const body = (i: number) =>
        Object.entries(isIn)
          .filter(([, test]) => test(i))
          .map(([words]) => words.replaceAll(' ', ''))
          .join(' and ');
      const documents = Array.from({ length: MANY }, (_, i): [string, Letter] => {
        return [
          `k${String((i * 7919) % MANY).padStart(6, '0')}`,
          { box: i % 5 === 4 ? 'other' : 'b', at: i, read: i % 2 === 0, body: body(i) },
        ];
      });
      await store.transact((tx) => tx.putAll(letters, documents));
      const expected = (test: (i: number) => boolean) =>
        Array.from({ length: MANY }, (_, i) => MANY - 1 - i).filter((i) => i % 5 !== 4 && test(i));
      for (const [words, test] of Object.entries(isIn)) {
        const word = words.replaceAll(' ', '');
        const first = await store.query(letters, { filter: inBox('b', word), order: NEWEST_FIRST, limit: 25 });
        expect(first.items.map(({ value }) => value.at)).toEqual(expected(test).slice(0, 25));
        for (const prefix of [true, false]) {
          const asked = inBox('b', prefix ? word.slice(0, -1) : word, { prefix });
          const both: Filter = { op: 'and', args: [asked, { op: 'eq', field: 'read', value: true }] };
          const even = (i: number) => i % 2 === 0;
          // The beginning of one is the beginning of another.
          const begun = prefix && word === 'early' ? isIn['early in great numbers']! : test;
          expect((await pages(store, both, 700)).slice(0, 2000)).toEqual(
            expected((i) => even(i) && begun(i)).slice(0, 2000),
          );
        }
        expect(await store.count(letters, { filter: inBox('b', word) })).toBe(expected(test).length);
      }
      const phrase = inBox('b', 'always and often', { parts: ['body'] });
      expect(await pages(store, phrase, 1000)).toEqual(expected(isIn.often!));
      const none: Filter = {
        op: 'and',
        args: [inBox('b', 'always'), { op: 'not', arg: inBox('b', 'earlyingreatnumbers') }],
      };
      expect(await pages(store, none, 500)).toEqual(expected((i) => i >= 10_500));
      const few: Filter = {
        op: 'and',
        args: [inBox('b', 'always'), inBox('b', 'o', { prefix: true }), inBox('b', 'once')],
      };
      expect(await pages(store, few, 25)).toEqual([4321]);
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
    await expect.poll(() => found('first'), { timeout: 20_000 }).toEqual(['b']);
    await expect.poll(() => found('other words'), { timeout: 20_000 }).toEqual(['a']);
    await old.transact((tx) => tx.delete(before, 'a'));
    expect(await found('other words')).toEqual([]);
    await fresh.transact((tx) => tx.put(shared, 'a', { text: '' }));
    expect(await found('other words')).toEqual([]);
    const again = await place.open([before], '0.1.0');
    expect((await again.get(before, 'b'))?.value.text).toBe('first');
  });
});
