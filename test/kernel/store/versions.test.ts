import { describe, expect, test } from 'vitest';
import { collection } from '../../../src/kernel/store/collection.ts';
import type { StatePart, Store } from '../../../src/kernel/store/types.ts';
import { defineWork } from '../../../src/kernel/work/kind.ts';
import { type Engine, file, postgres } from './contract/engines.ts';
import { before, now, shared } from './people.ts';

const PEOPLE = ['Ada Young', 'Bo Xu', 'Cy Zorn'];

const table = (engine: Engine): string => engine.dialect.table('c.test.people');

async function fill(store: Store): Promise<string[]> {
  return store.transact(async (tx) => {
    const etags: string[] = [];
    for (const name of PEOPLE) etags.push((await tx.put(before, name.slice(0, 2), { name })).etag);
    return etags;
  });
}

async function captured(store: Store): Promise<StatePart[]> {
  return store.capture([], async (parts) => {
    const all: StatePart[] = [];
    for await (const part of parts) all.push(part);
    return all;
  });
}

/** In the order of pages after the first: positions are computed from documents too. */
async function inOrder(store: Store): Promise<string[]> {
  const order = [{ field: 'name' }];
  const first = await store.query(now, { order, limit: 1 });
  const rest = await store.query(now, { order, limit: 10, ...(first.next && { after: first.next }) });
  return [...first.items, ...rest.items].map(({ value }) => value.last);
}

for (const engine of [file, postgres]) {
  describe(`${engine.name}: versions of documents`, () => {
    test('a document of an earlier version is upgraded wherever it is read, and stays as it is in the store', async (context) => {
      const place = await engine.place(context);
      const old = await place.open([before]);
      const [etag] = await fill(old);
      await old.close();
      const store = await place.open([now]);
      const ada = { key: 'Ad', etag, value: { first: 'Ada', last: 'Young', from: 1 } };
      expect(await store.get(now, 'Ad')).toEqual(ada);
      expect(await store.cached(now, 'Ad')).toEqual(ada);
      expect(store.peek(now, 'Ad')).toEqual(ada);
      expect(await store.transact((tx) => tx.get(now, 'Ad'))).toEqual(ada);
      expect((await store.query(now, { limit: 1 })).items).toEqual([ada]);
      expect(await place.sql(`SELECT etag, body FROM ${table(engine)} WHERE key = 'Ad'`)).toEqual([
        { etag, body: '{"name":"Ada Young"}' },
      ]);
    });

    test('fields that the upgrade gives another meaning are found and ordered by their new one', async (context) => {
      const place = await engine.place(context);
      const old = await place.open([before]);
      await fill(old);
      await old.close();
      const store = await place.open([now]);
      expect(await inOrder(store)).toEqual(['Xu', 'Young', 'Zorn']);
      const filter = { op: 'eq', field: 'name', value: 'Zorn' } as const;
      expect((await store.query(now, { filter, limit: 10 })).items.map(({ key }) => key)).toEqual(['Cy']);
      expect(await store.count(now, { filter: { op: 'startsWith', field: 'name', value: 'Cy' } })).toBe(0);
    });

    test('a write stores the version of its declaration, on the condition of the etag before it', async (context) => {
      const place = await engine.place(context);
      const old = await place.open([before]);
      const [etag] = await fill(old);
      await old.close();
      const store = await place.open([now]);
      const value = { first: 'Ada', last: 'Abel', from: 0 };
      const put = await store.transact((tx) => tx.put(now, 'Ad', value, { ifMatch: etag! }));
      expect(put.etag).toMatch(/^3\.3\.[\w-]{16}$/);
      expect(await store.get(now, 'Ad')).toEqual(put);
      expect(await store.cached(now, 'Ad')).toEqual(put);
      expect(await inOrder(store)).toEqual(['Abel', 'Xu', 'Zorn']);
      await expect(store.transact((tx) => tx.put(now, 'Ad', value, { ifMatch: etag! }))).rejects.toMatchObject({
        code: 'PRECONDITION_FAILED',
      });
    });

    test('an upgrade gets the version of each document: a store may have several', async (context) => {
      const place = await engine.place(context);
      const first = await place.open([before]);
      await fill(first);
      await first.close();
      const second = await place.open([shared]);
      const bo = (await second.get(shared, 'Bo'))!;
      expect(bo.value).toEqual({ name: 'Bo Xu', initial: 'B', tags: ['upgraded'] });
      await second.transact((tx) => tx.put(shared, 'Bo', { ...bo.value, tags: ['written'] }));
      expect(await second.count(shared, { filter: { op: 'has', field: 'tags', value: 'upgraded' } })).toBe(2);
      await second.close();
      const third = await place.open([now]);
      const versions = (await third.query(now, { limit: 10 })).items.map(({ value }) => value.from);
      expect(versions).toEqual([1, 2, 1]);
    });

    test('state that was captured before an upgrade is loaded after it', async (context) => {
      const place = await engine.place(context);
      const old = await place.open([before]);
      const etags = await fill(old);
      const parts = await captured(old);
      await old.close();
      const other = await (await engine.place(context)).open([now]);
      await other.wipe(async (_tx, load) => {
        for (const part of parts) await load(part);
      });
      expect(await inOrder(other)).toEqual(['Xu', 'Young', 'Zorn']);
      const { items } = await other.query(now, { limit: 10 });
      expect(items.map(({ etag }) => etag)).toEqual(etags);
      expect(items.map(({ value }) => value.from)).toEqual([1, 1, 1]);
      expect(await captured(other)).toEqual(parts);
    });

    test('an upgrade that fails leaves the store to the release before', async (context) => {
      const place = await engine.place(context);
      const old = await place.open([before], '0.1.0');
      const etags = await fill(old);
      await old.transact((tx) => tx.put(before, 'Zz', { name: 7 as never }));
      await old.close();
      await expect(place.open([now], '0.3.0')).rejects.toMatchObject({
        code: 'UNFIT',
        message: "the document 'Zz' of test.people could not be upgraded from version 1 to 3: a person without a name",
      });
      const again = await place.open([before], '0.1.0');
      expect((await again.query(before, { limit: 3 })).items.map(({ etag }) => etag)).toEqual(etags);
      await again.transact((tx) => tx.delete(before, 'Zz'));
      await again.close();
      expect(await inOrder(await place.open([now], '0.3.0'))).toEqual(['Xu', 'Young', 'Zorn']);
    });

    test('a document that fails to be upgraded when it is read fails that read, and says which it is', async (context) => {
      const place = await engine.place(context);
      const plain = collection<{ n: number }>('test.plain');
      const raised = collection<{ n: number }>('test.plain', {
        version: 2,
        release: '0.2.0',
        upgrade() {
          throw new RangeError('not this one');
        },
      });
      const old = await place.open([plain]);
      await old.transact((tx) => tx.put(plain, 'a', { n: 1 }));
      await old.close();
      const store = await place.open([raised]);
      const message = "the document 'a' of test.plain could not be upgraded from version 1 to 2: not this one";
      await expect(store.get(raised, 'a')).rejects.toMatchObject({ code: 'UNFIT', message });
      await store.transact((tx) => tx.put(raised, 'a', { n: 2 }));
      expect((await store.get(raised, 'a'))?.value).toEqual({ n: 2 });
    });

    test('a document of a later version is refused where it is read', async (context) => {
      const place = await engine.place(context);
      const raised = collection<{ m: number }>('test.plain', {
        version: 2,
        release: '0.2.0',
        upgrade: () => ({ m: 0 }),
      });
      const store = await place.open([raised]);
      await store.transact((tx) => tx.put(raised, 'a', { m: 1 }));
      await store.close();
      const plain = collection<{ n: number }>('test.plain');
      const old = await place.open([plain]);
      const refusal = {
        code: 'NEWER_VERSION',
        message: "the document 'a' of test.plain has version 2, written by a later release; this one knows up to 1",
      };
      await expect(old.get(plain, 'a')).rejects.toMatchObject(refusal);
      await expect(old.query(plain, { limit: 1 })).rejects.toMatchObject(refusal);
    });
  });

  describe(`${engine.name}: releases`, () => {
    test('a release that is too old for a store is refused in one line, and changes nothing', async (context) => {
      const place = await engine.place(context);
      const first = await place.open([before], '0.1.0');
      await fill(first);
      await first.close();
      const store = await place.open([now], '0.3.1');
      await store.transact((tx) => tx.put(now, 'Ad', { first: 'Ada', last: 'Abel', from: 0 }));
      await store.close();
      const meta = `SELECT * FROM ${engine === postgres ? 'cloudjar.' : ''}meta ORDER BY name`;
      const noted = await place.sql(meta);
      for (const release of ['0.1.0', '0.2.9']) {
        await expect(place.open([before], release)).rejects.toMatchObject({
          code: 'NEWER_VERSION',
          message: `the database can be used by release 0.3.0 and later; this is release ${release}`,
        });
      }
      expect(await place.sql(meta)).toEqual(noted);
      const again = await place.open([now], '0.3.0');
      expect(await inOrder(again)).toEqual(['Abel', 'Xu', 'Zorn']);
    });

    test('a version that earlier releases can read keeps none of them out', async (context) => {
      const place = await engine.place(context);
      const store = await place.open([shared], '0.2.0');
      await store.transact((tx) => tx.put(shared, 'Ad', { name: 'Ada Young', initial: 'A', tags: ['red'] }));
      await store.close();
      const old = await place.open([before], '0.1.0');
      expect((await old.get(before, 'Ad'))?.value.name).toBe('Ada Young');
      await old.transact((tx) => tx.put(before, 'Bo', { name: 'Bo Xu' }));
      await old.close();
      const again = await place.open([shared], '0.2.0');
      const filter = { op: 'eq', field: 'initial', value: 'B' } as const;
      expect((await again.query(shared, { filter, limit: 10 })).items.map(({ value }) => value)).toEqual([
        { name: 'Bo Xu', initial: 'B', tags: ['upgraded'] },
      ]);
      expect((await again.get(shared, 'Ad'))?.value.tags).toEqual(['red']);
    });

    test('due work of a version that earlier releases cannot read keeps them out', async (context) => {
      const place = await engine.place(context);
      const plain = defineWork<{ readonly id: string }>('test.step');
      const first = await place.open([before], '0.1.0', [plain]);
      await first.transact((tx) => tx.schedule(plain.at(1, { id: 'a' })));
      await first.close();
      const upgrade = () => ({ ids: ['a'] });
      const raised = defineWork<{ readonly ids: string[] }>('test.step', { version: 2, release: '0.2.0', upgrade });
      await expect(place.open([before], '0.1.0', [raised])).rejects.toThrow(
        "the work 'test.step' is declared for release 0.2.0, and this is 0.1.0",
      );
      const store = await place.open([before], '0.2.1', [raised]);
      const request = { kinds: [raised.kind], now: 1, limit: 1, leaseMs: 1000 };
      const [item] = await store.work.claim(request);
      expect(raised.read(item!).payload).toEqual({ ids: ['a'] });
      await store.close();
      await expect(place.open([before], '0.1.9', [plain])).rejects.toMatchObject({
        code: 'NEWER_VERSION',
        message: 'the database can be used by release 0.2.0 and later; this is release 0.1.9',
      });
    });

    test('a collection cannot be of a release that is still to come', async (context) => {
      const place = await engine.place(context);
      await expect(place.open([now], '0.2.0')).rejects.toThrow(
        "the collection 'test.people' is declared for release 0.3.0, and this is 0.2.0",
      );
    });
  });
}

describe('declarations of versions', () => {
  const upgrade = () => ({});
  test.each([
    ['a version with an upgrade is 2 or more', { version: 1.5, release: '0.2.0', upgrade }],
    [
      'version 2 is shared with an earlier one, not with 2',
      { version: 2, release: '0.2.0', upgrade, sharedWith: { version: 2 } },
    ],
    ['the release of version 2 must be given', { version: 3, release: '0.3.0', upgrade, sharedWith: { version: 2 } }],
  ])('are refused where %s', (reason, options) => {
    expect(() => collection('test.x', options)).toThrow(`collection 'test.x': ${reason}`);
  });

  test('are refused where a version is raised without an upgrade or a release, by the types and at the start', () => {
    // @ts-expect-error: neither
    expect(() => collection('test.x', { version: 2 })).toThrow(
      "collection 'test.x' is of version 2 and has no upgrade",
    );
    // @ts-expect-error: no release
    expect(() => collection('test.x', { version: 2, upgrade })).toThrow(
      "collection 'test.x': the release of version 2 must be given",
    );
    const together = 'a version after 1, its upgrade and its release go together';
    // @ts-expect-error: neither
    expect(() => defineWork('test.x', { version: 2 })).toThrow(`work 'test.x' is of version 2: ${together}`);
    // @ts-expect-error: no release
    expect(() => defineWork('test.x', { version: 2, upgrade })).toThrow(`work 'test.x' is of version 2: ${together}`);
    expect(() => defineWork('test.x', { version: 1.5, upgrade, release: '0.2.0' })).toThrow(
      "work 'test.x' is of version 1.5",
    );
  });
});
