import { describe, expect, onTestFinished, test } from 'vitest';
import { chunkKey, chunks, drafts } from '../../../src/kernel/snapshots/collections.ts';
import { type Engine, engines } from '../store/contract/engines.ts';
import { fill, ITEMS, items, type Opened, openSnapshots } from './open-snapshots.ts';

async function open(engine: Engine, context: Parameters<Engine['place']>[0], address?: string): Promise<Opened> {
  const opened = await openSnapshots(engine.name, address ?? (await engine.place(context)).address);
  onTestFinished(() => opened.close());
  return opened;
}

for (const engine of engines) {
  describe(`${engine.name}: snapshots`, () => {
    test('hold everything, however many there are, and the last under a name wins', async (context) => {
      const opened = await open(engine, context);
      const { store, snapshots } = opened;
      await fill(store, 'first');
      const [one, two] = await Promise.all([snapshots.save('same'), snapshots.save('same')]);
      expect([one.created, two.created].sort()).toEqual([false, true]);
      expect(one.snapshot.counts).toEqual({
        documents: ITEMS,
        work: 50,
        changes: 50,
        collections: { 'test.items': ITEMS },
      });
      const kept = await snapshots.get('same');
      expect(await store.count(chunks)).toBe(kept.chunks);
      await fill(store, 'second');
      expect((await snapshots.save('same')).created).toBe(false);
      expect(await store.count(drafts)).toBe(0);
      await fill(store, 'third');
      await snapshots.restore('same');
      expect(await store.count(items, { filter: { op: 'eq', field: 'generation', value: 'second' } })).toBe(ITEMS);
      await snapshots.delete('same');
      expect([await store.count(chunks), await store.count(drafts)]).toEqual([0, 0]);
    });

    test('of an empty store bring back an empty store', async (context) => {
      const { store, snapshots } = await open(engine, context);
      const { snapshot } = await snapshots.save('empty');
      expect(snapshot).toMatchObject({
        chunks: 0,
        bytes: 0,
        counts: { documents: 0, work: 0, changes: 0, collections: {} },
      });
      await fill(store, 'full');
      await snapshots.restore('empty');
      expect(await store.count(items)).toBe(0);
      expect((await store.changesAfter(undefined, 10)).map((change) => change.kind)).toEqual(['restore']);
    });

    test('keep every etag and every character', async (context) => {
      const { store, snapshots } = await open(engine, context);
      const texts = [
        '',
        '"\\',
        '\u0000\u001f\u007f',
        '\u2028\u2029',
        '\ud83d\ude00',
        '\ud800',
        '["d","a","b","c",{}]\n',
        '__proto__',
      ];
      const put = await store.transact(async (tx) => {
        const stored = [];
        for (const [i, note] of texts.entries())
          stored.push(await tx.put(items, `${note}${i}`, { generation: note, note }));
        return stored;
      });
      await snapshots.save('text');
      await store.wipe(async () => {});
      await snapshots.restore('text');
      for (const each of put) expect(await store.get(items, each.key)).toEqual({ ...each, value: each.value });
      expect(await store.count(items)).toBe(texts.length);
    });

    test('that miss a part are refused, and nothing is changed', async (context) => {
      const { store, snapshots } = await open(engine, context);
      await fill(store, 'saved');
      const { snapshot } = await snapshots.save('broken');
      await fill(store, 'current');
      const key = chunkKey(snapshot.id, 0);
      const chunk = (await store.get(chunks, key))!.value;
      const damages = [
        (): Promise<unknown> => store.transact((tx) => tx.put(chunks, key, { data: chunk.data.slice(0, 400) })),
        (): Promise<unknown> => store.transact((tx) => tx.put(chunks, key, { data: 'bm8gZ3ppcA==' })),
        (): Promise<unknown> => store.transact((tx) => tx.delete(chunks, key)),
      ];
      for (const damage of damages) {
        await damage();
        await expect(snapshots.restore('broken')).rejects.toMatchObject({ status: 409, code: 'SnapshotDamaged' });
        expect(await store.count(items, { filter: { op: 'eq', field: 'generation', value: 'current' } })).toBe(ITEMS);
      }
      await snapshots.delete('broken');
    });

    test('take the clock back with them, and an advance on the way ends with the reason', async (context) => {
      const { store, clock, snapshots } = await open(engine, context);
      await clock.moveTo(2_000_000);
      const { snapshot } = await snapshots.save('then');
      expect(snapshot.takenAt).toBe(2_000_000);
      await clock.moveTo(5_000_000);
      const { epoch } = clock;
      expect(await snapshots.restore('then')).toMatchObject({ now: 2_000_000, clockMoved: true, skipped: {} });
      expect(clock.now()).toBe(2_000_000);
      expect(clock.epoch).toBeGreaterThan(epoch);
      await store.transact(async (tx) => void (await clock.reset(tx)));
      expect(clock.now()).toBe(1_000_000);
    });

    if (!engine.durable) return;

    test('that a process left unfinished are not there, and go with the next one', async (context) => {
      const { address } = await engine.place(context);
      const before = await open(engine, context, address);
      await before.store.transact(async (tx) => {
        await tx.put(drafts, 'dead', { node: 'another', aliveAt: 1 });
        for (let i = 0; i < 120; i++) await tx.put(chunks, chunkKey('dead', i), { data: 'x' });
        await tx.put(drafts, 'half-removed', { node: 'another', removed: 50 });
        for (let i = 50; i < 60; i++) await tx.put(chunks, chunkKey('half-removed', i), { data: 'x' });
      });
      expect(await before.snapshots.list()).toEqual([]);
      await before.close();
      const after = await open(engine, context, address);
      await expect.poll(() => after.store.count(chunks)).toBe(0);
      await expect.poll(() => after.store.count(drafts)).toBe(0);
    });
  });
}
