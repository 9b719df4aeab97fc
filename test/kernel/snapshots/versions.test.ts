import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Vault } from '../../../src/kernel/auth/vault.ts';
import { openClock } from '../../../src/kernel/clock/index.ts';
import { clockCollection } from '../../../src/kernel/clock/position.ts';
import { createSnapshots, type Snapshots, snapshotCollections } from '../../../src/kernel/snapshots/index.ts';
import type { StoredWork } from '../../../src/kernel/store/options.ts';
import type { Collection, Store } from '../../../src/kernel/store/types.ts';
import { file, type Place, postgres } from '../store/contract/engines.ts';
import { before, now } from '../store/people.ts';

interface Release {
  readonly store: Store;
  readonly snapshots: Snapshots;
}

/** Opens the snapshots of a release with this declaration of people. */
async function open(
  place: Place,
  people: Collection<never>,
  release: string,
  work: readonly StoredWork[] = [],
): Promise<Release> {
  const collections: readonly Collection<never>[] = [people, clockCollection, ...snapshotCollections];
  const store = await place.open(collections, release, work);
  const clock = await openClock({ mode: 'virtual', start: 1_000_000, store });
  onTestFinished(() => clock.close());
  const snapshots = createSnapshots({
    store,
    clock,
    vault: new Vault(Buffer.alloc(32, 1)),
    worker: { pause: async () => {}, resume: () => {} },
    version: release,
    collections,
    work,
    forget: async () => {},
    report: () => {},
  });
  return { store, snapshots };
}

const headerOf = async (content: Readable) =>
  JSON.parse(
    gunzipSync(Buffer.concat(await content.toArray()))
      .toString()
      .split('\n', 1)[0]!,
  );

describe.each([file, postgres])('$name: snapshots of other releases', (engine) => {
  test('one of an earlier release, kept in the store or come in as a file, is upgraded when it is restored', async (context) => {
    const place = await engine.place(context);
    const old = await open(place, before, '0.1.0');
    await old.store.transact((tx) => tx.put(before, 'a', { name: 'Ada Young' }));
    await old.snapshots.save('old');
    await old.store.close();

    const { store, snapshots } = await open(place, now, '0.3.0');
    const { file: content, snapshot } = await snapshots.content('old');
    expect(snapshot).toMatchObject({ version: '0.1.0' });
    expect(snapshot.oldest).toBeUndefined();
    await snapshots.accept('again', content);
    for (const name of ['old', 'again']) {
      await store.transact((tx) => tx.delete(now, 'a'));
      await snapshots.restore(name);
      expect((await store.get(now, 'a'))?.value).toEqual({ first: 'Ada', last: 'Young', from: 1 });
      expect(await store.count(now, { filter: { op: 'eq', field: 'name', value: 'Young' } })).toBe(1);
    }
    expect(await headerOf((await snapshots.content('again')).file)).toMatchObject({ format: 1, version: '0.1.0' });
  });

  test('one with due work that an earlier release cannot read names the oldest that can', async (context) => {
    const step = { kind: 'test.step', oldestRelease: '0.2.0' };
    const { snapshots } = await open(await engine.place(context), before, '0.3.0', [step]);
    await snapshots.save('new');
    expect((await snapshots.get('new')).oldest).toBe('0.2.0');
  });

  test('one that an earlier release cannot read names the oldest that can, and is refused by those before', async (context) => {
    const place = await engine.place(context);
    const { store, snapshots } = await open(place, now, '0.3.2');
    await store.transact((tx) => tx.put(now, 'a', { first: 'Ada', last: 'Young', from: 0 }));
    const { snapshot } = await snapshots.save('new');
    expect(snapshot.oldest).toBe('0.3.0');
    expect(await headerOf((await snapshots.content('new')).file)).toMatchObject({
      format: 2,
      version: '0.3.2',
      oldest: '0.3.0',
    });
    const other = await open(await engine.place(context), before, '0.2.5');
    await expect(other.snapshots.accept('new', (await snapshots.content('new')).file)).rejects.toThrow(
      'The snapshot can be used by release 0.3.0 and later; this is release 0.2.5. Nothing was changed.',
    );
    expect(await other.snapshots.list()).toEqual([]);
    // As if the snapshot had been taken on another node meanwhile.
    await other.store.transact((tx) => tx.put(snapshotCollections[0]!, 'new', snapshot));
    await expect(other.snapshots.restore('new')).rejects.toThrow('release 0.3.0 and later; this is release 0.2.5');
  });
});
