import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../../src/kernel/store/postgres/store.ts';
import type { CommitNotice, Tx } from '../../../../src/kernel/store/types.ts';
import { collections, counters, type Engine, secrets, settings, things } from './engines.ts';
import { follow } from './feed.ts';

const CHANGE = { source: 'test', kind: 'write', subject: 'a', outcome: 'Succeeded', at: 1, data: null } as const;

export function nodeTests(engine: Engine): void {
  test('nodes that start together on an empty database all come up', async (context) => {
    const place = await engine.place(context);
    const stores = await Promise.all([place.open(), place.open(), place.open()]);
    await stores[0]!.transact((tx) => tx.put(things, 'a', {}));
    expect(await stores[2]!.count(things)).toBe(1);
  });

  test('a cached read follows writes, deletes and wipes of another node', async (context) => {
    const place = await engine.place(context);
    const [here, there] = await Promise.all([place.open(), place.open()]);
    const seen = () => there!.cached(settings, 'a').then((found) => found?.value.value);
    expect(await seen()).toBeUndefined();
    await here!.transact((tx) => tx.put(settings, 'a', { value: 'one' }));
    await expect.poll(seen).toBe('one');
    await here!.transact((tx) => tx.put(settings, 'a', { value: 'two' }));
    await expect.poll(seen).toBe('two');
    await here!.transact((tx) => tx.delete(settings, 'a'));
    await expect.poll(seen).toBeUndefined();
    await here!.wipe(async (tx) => {
      await tx.put(settings, 'a', { value: 'seeded' });
    });
    await expect.poll(seen).toBe('seeded');
  });

  test('keys are invalidated even if they do not fit a notice', async (context) => {
    const place = await engine.place(context);
    const [here, there] = await Promise.all([place.open(), place.open()]);
    await here!.transact((tx) => tx.put(secrets, 'a', { value: 'one' }));
    await expect.poll(() => there!.cached(secrets, 'a').then((found) => found?.value.value)).toBe('one');
    await here!.transact(async (tx) => {
      for (let i = 0; i < 300; i++) await tx.put(settings, `a-rather-long-key-that-takes-room-${i}`, { value: 'x' });
      await tx.put(secrets, 'a', { value: 'two' });
    });
    await expect.poll(() => there!.cached(secrets, 'a').then((found) => found?.value.value)).toBe('two');
  });

  test('a node that lost its connection clears its caches and receives notices again', async (context) => {
    const place = await engine.place(context);
    const [here, there] = await Promise.all([place.open(), place.open()]);
    await here!.transact((tx) => tx.put(settings, 'a', { value: 'one' }));
    await expect.poll(() => there!.cached(settings, 'a').then((found) => found?.value.value)).toBe('one');
    const news: CommitNotice[] = [];
    const both = [settings.name, secrets.name];
    there!.onCommit((each) => news.push(each));
    await place.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cloudjar listener'`,
    );
    await here!.transact((tx) => tx.put(settings, 'a', { value: 'two' }));
    await expect.poll(() => there!.cached(settings, 'a').then((found) => found?.value.value)).toBe('two');
    await expect.poll(() => news.some((each) => both.every((name) => each.collections.includes(name)))).toBe(true);
    await here!.transact((tx) => tx.put(settings, 'a', { value: 'three' }));
    await expect.poll(() => there!.cached(settings, 'a').then((found) => found?.value.value)).toBe('three');
  });

  test('listeners hear of commits on other nodes', async (context) => {
    const place = await engine.place(context);
    const [here, there] = await Promise.all([place.open(), place.open()]);
    const heard = { changes: false, work: false };
    there!.onCommit((news) => {
      heard.changes ||= news.changes;
      heard.work ||= news.work;
    });
    await here!.transact((tx) => tx.change(CHANGE));
    await expect.poll(() => heard).toEqual({ changes: true, work: false });
    await here!.transact((tx) => tx.schedule({ kind: 'k', dueAt: 1, payload: null }));
    await expect.poll(() => heard).toEqual({ changes: true, work: true });
  });

  test('a record that waits for a transaction before it is announced again when that one ends without a word', async (context) => {
    const place = await engine.place(context);
    const [here, there] = await Promise.all([place.open(), place.open()]);
    const started = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    onTestFinished(() => end.resolve());
    const older = there!.transact(async (tx) => {
      await tx.change({ ...CHANGE, subject: 'never' });
      started.resolve();
      await end.promise;
      throw new Error('taken back');
    });
    const failed = expect(older).rejects.toThrow('taken back');
    await started.promise;
    await here!.transact((tx) => tx.change(CHANGE));
    expect(await here!.changesAfter(undefined, 10)).toEqual([]);
    const seen: string[] = [];
    here!.onCommit((news) => {
      if (news.changes)
        void here!.changesAfter(undefined, 10).then((page) => seen.push(...page.map((each) => each.subject)));
    });
    end.resolve();
    await failed;
    await expect.poll(() => seen).toContain('a');
    expect(seen).not.toContain('never');
  });

  test('counting and claiming from several nodes at once loses and doubles nothing', async (context) => {
    const place = await engine.place(context);
    const stores = await Promise.all([place.open(), place.open()]);
    const increment = async (tx: Tx) => {
      const found = await tx.get(counters, 'c');
      await tx.put(counters, 'c', { count: (found?.value.count ?? 0) + 1 });
      await tx.change(CHANGE);
      await tx.schedule({ kind: 'k', dueAt: 1, payload: null });
    };
    const writing = Promise.all(Array.from({ length: 40 }, (_, i) => stores[i % 2]!.transact(increment)));
    const changes = await follow(stores[1]!, writing);
    expect(changes).toHaveLength(40);
    expect(new Set(changes.map((change) => change.cursor)).size).toBe(40);
    expect((await stores[0]!.get(counters, 'c'))?.value.count).toBe(40);
    const request = { kinds: ['k'], now: 1, limit: 3, leaseMs: 60_000 };
    const claimed: string[] = [];
    while (claimed.length < 40) {
      const batches = await Promise.all(
        stores.flatMap((store) => [store.work.claim(request), store.work.claim(request)]),
      );
      claimed.push(...batches.flat().map((item) => item.id));
    }
    expect(new Set(claimed).size).toBe(40);
  });

  test('a database that does not answer is one clear line', async () => {
    const opening = openPostgres({ url: 'postgres://jar:secret@127.0.0.1:1/none', collections });
    await expect(opening).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringMatching(/^the database at 127\.0\.0\.1:1\/none does not answer: .*ECONNREFUSED[^\n]*$/),
    });
    await expect(openPostgres({ url: 'not an address', collections })).rejects.toMatchObject({ code: 'UNREACHABLE' });
  });

  test('a transaction sees committed records that are still withheld from readers of the feed', async (context) => {
    const store = await (await engine.place(context)).open();
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const slow = store.transact(async (tx) => {
      await tx.change({ ...CHANGE, subject: 'slow' });
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    await store.transact((tx) => tx.change({ ...CHANGE, subject: 'quick' }));
    expect(await store.changesAfter(undefined, 10)).toEqual([]);
    const [seen, newest] = await store.transact(
      async (tx) => [await tx.changesAfter(undefined, 10), await tx.newestChange()] as const,
    );
    expect(seen.map(({ subject }) => subject)).toEqual(['quick']);
    expect(newest).toBe(seen[0]?.cursor);
    end.resolve();
    await slow;
    expect((await store.changesAfter(undefined, 10)).map(({ subject }) => subject)).toEqual(['slow', 'quick']);
  });

  test('the holder of a work item cannot commit after another node has taken it, and can after it has ended it', async (context) => {
    const place = await engine.place(context);
    const [here, there] = await Promise.all([place.open(), place.open()]);
    const claim = { kinds: ['test'], now: 1, limit: 1, leaseMs: 60_000 };
    await here!.transact((tx) => tx.schedule({ id: 'pump', kind: 'test', dueAt: 0, payload: null }));
    const [item] = await here!.work.claim(claim);
    const asHolder = (key: string, also: (tx: Tx) => Promise<unknown> = async () => {}) =>
      here!.onBehalfOf({ gone: false, holds }, () =>
        here!.transact(async (tx) => {
          await tx.put(things, key, {});
          await also(tx);
        }),
      );
    let holds = { item: item!, ended: false };
    await asHolder('held');
    await place.sql(`UPDATE cloudjar.work SET state = 0, lease = NULL WHERE id = 'pump'`);
    await expect(asHolder('lost')).rejects.toMatchObject({ code: 'LEASE_LOST' });
    const [again] = await there!.work.claim(claim);
    await expect(asHolder('still lost')).rejects.toMatchObject({ code: 'LEASE_LOST' });
    holds = { item: again!, ended: false };
    await asHolder('held again', (tx) => tx.complete(again!));
    await asHolder('after the end');
    const { items } = await here!.query(things, { limit: 10 });
    expect(items.map(({ key }) => key)).toEqual(['after the end', 'held', 'held again']);
  });

  test('a node that leaves frees its leases, and a silent node loses them', async (context) => {
    const place = await engine.place(context);
    const [here, there] = await Promise.all([place.open(), place.open()]);
    const claim = { kinds: ['test'], now: 1, limit: 1, leaseMs: 3_600_000 };
    await here!.transact((tx) => tx.schedule({ id: 'one', kind: 'test', dueAt: 0, payload: null }));
    expect(await there!.work.claim(claim)).toHaveLength(1);
    await there!.close();
    const [item] = await here!.work.claim(claim);
    expect(item?.id).toBe('one');
    // Simulates a killed node: its row stays, and is not updated any more.
    await here!.transact((tx) => tx.complete(item!));
    await place.sql(`
      INSERT INTO cloudjar.nodes (node, beat) VALUES ('dead', 7);
      INSERT INTO cloudjar.work (id, kind, due_at, payload, state, lease, lease_until)
      VALUES ('two', 'test', 0, 'null', 1, 'dead:lease', clock_timestamp() + interval '1 hour')`);
    await expect
      .poll(async () => (await here!.work.claim(claim)).map(({ id, attempts }) => [id, attempts]))
      .toEqual([['two', 1]]);
    await expect.poll(() => place.sql(`SELECT node FROM cloudjar.nodes WHERE node = 'dead'`)).toEqual([]);
  });

  test('nothing is begun or committed for a client that has left', async (context) => {
    const place = await engine.place(context);
    const store = await place.open();
    const client = { gone: false };
    const during = store.onBehalfOf(client, () =>
      store.transact(async (tx) => {
        await tx.put(things, 'begun', {});
        client.gone = true;
      }),
    );
    await expect(during).rejects.toMatchObject({ code: 'ABANDONED' });
    let begun = false;
    const later = store.onBehalfOf(client, () =>
      store.transact(async () => {
        begun = true;
      }),
    );
    await expect(later).rejects.toMatchObject({ code: 'ABANDONED' });
    expect([begun, await store.count(things)]).toEqual([false, 0]);
  });

  test('a request with a commit is completed, even if the client disconnects between two transactions', async (context) => {
    const store = await (await engine.place(context)).open();
    let left = false;
    let isBound = true;
    const client = {
      get gone() {
        return isBound && left;
      },
      committed() {
        isBound = false;
      },
    };
    await store.onBehalfOf(client, async () => {
      await store.transact((tx) => tx.put(things, 'first', {}));
      left = true;
      await store.transact((tx) => tx.put(things, 'second', {}));
    });
    expect(await store.count(things)).toBe(2);
  });
}
