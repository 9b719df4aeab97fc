import { expect, test } from 'vitest';
import { followerPositions } from '../../../src/kernel/feed/positions.ts';
import { following, noting } from './listening-jar.ts';

const names = (count: number, prefix = 's'): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

following('a follower', [noting('test.one'), noting('test.two')], (jar) => {
  test('receives the changes it wants since its activation, in order', async () => {
    await jar.changes('before');
    await jar.activate('test.one');
    await jar.changes('a', 'b');
    await jar.unwanted(3);
    await jar.changes('c');
    await jar.settled();
    expect(await jar.heard()).toEqual(['a', 'b', 'c']);
    expect(await jar.heard('test.two')).toEqual([]);
  });

  test('receives changes of the transaction that activates it, but not earlier ones', async () => {
    await jar.jar.store.transact(async (tx) => {
      await jar.change(tx, 'before');
      await jar.jar.feed.activate(tx, 'test.one');
      await jar.change(tx, 'after');
    });
    await jar.settled();
    expect(await jar.heard()).toEqual(['after']);
  });

  test('receives everything when it is activated on an empty feed', async () => {
    await jar.activate('test.one');
    await jar.changes('first');
    await jar.settled();
    expect(await jar.heard()).toEqual(['first']);
  });

  test('processes many pages, also of unwanted changes', async () => {
    await jar.activate('test.one');
    await jar.changes(...names(450));
    await jar.unwanted(650);
    await jar.changes(...names(250, 't'));
    await jar.settled();
    expect(await jar.heard()).toEqual([...names(450), ...names(250, 't')]);
  });

  test('does not read unwanted changes repeatedly', async () => {
    await jar.activate('test.one');
    await jar.unwanted(1000);
    await jar.changes('a');
    await jar.unwanted(1000);
    await jar.changes('b');
    await jar.settled();
    const place = await jar.jar.store.get(followerPositions, 'test.one');
    expect(await jar.jar.store.changesAfter(place?.value.cursor, 1000)).toHaveLength(0);
  });

  test('costs nothing while it is not active: no work, no position', async () => {
    await jar.changes(...names(5));
    expect(await jar.jar.store.work.kinds()).not.toContain('feed.follow');
    await jar.activate('test.one');
    await jar.settled();
    await jar.deactivate('test.one');
    await jar.changes('unheard');
    await expect.poll(() => jar.jar.store.work.kinds()).not.toContain('feed.follow');
    expect(await jar.jar.store.get(followerPositions, 'test.one')).toBeUndefined();
  });

  test('that was active before does not receive the changes in between', async () => {
    await jar.activate('test.one');
    await jar.changes('a');
    await jar.settled();
    await jar.deactivate('test.one');
    await jar.changes('between');
    await jar.activate('test.one');
    await jar.changes('b');
    await jar.settled();
    expect(await jar.heard()).toEqual(['a', 'b']);
  });

  test('keeps its position when it is activated again', async () => {
    await jar.activate('test.one');
    await jar.changes('a');
    await jar.activate('test.one', 'test.two');
    await jar.changes('b');
    await jar.settled();
    expect(await jar.heard()).toEqual(['a', 'b']);
    expect(await jar.heard('test.two')).toEqual(['b']);
  });

  test('stays active when the transaction that deactivates it is rolled back', async () => {
    await jar.activate('test.one');
    await jar.settled();
    const ending = jar.jar.store.transact(async (tx) => {
      await jar.jar.feed.deactivate(tx, 'test.one');
      await jar.change(tx, 'taken back');
      throw new Error('no');
    });
    await expect(ending).rejects.toThrow('no');
    await jar.changes('a');
    await jar.settled();
    expect(await jar.heard()).toEqual(['a']);
  });

  test('is not active when the transaction that activates it is rolled back', async () => {
    const beginning = jar.jar.store.transact(async (tx) => {
      await jar.jar.feed.activate(tx, 'test.one');
      await jar.change(tx, 'taken back');
      throw new Error('no');
    });
    await expect(beginning).rejects.toThrow('no');
    await jar.changes('a');
    expect(await jar.jar.store.work.kinds()).not.toContain('feed.follow');
  });

  test('stays active when `unless` finds a remaining user', async () => {
    await jar.activate('test.one');
    await jar.jar.store.transact((tx) => jar.jar.feed.deactivate(tx, 'test.one', async () => true));
    await jar.changes('a');
    await jar.settled();
    expect(await jar.heard()).toEqual(['a']);
    await jar.jar.store.transact((tx) => jar.jar.feed.deactivate(tx, 'test.one', async () => false));
    await jar.changes('b');
    await jar.settled();
    expect(await jar.heard()).toEqual(['a']);
  });

  test('must be declared', async () => {
    await expect(jar.activate('test.three')).rejects.toThrow("'test.three' is not declared");
    await expect(jar.deactivate('test.three')).rejects.toThrow("'test.three' is not declared");
  });

  test('is gone after a reset, and restored with a snapshot at its old position', async () => {
    await jar.activate('test.one');
    await jar.changes('a');
    await jar.settled();
    await jar.running.snapshots.save('kept');
    await jar.running.advance('1h');
    await jar.changes('b');
    await jar.settled();
    await jar.running.reset();
    await jar.changes('unheard');
    await jar.settled();
    expect(await jar.heard()).toEqual([]);
    await jar.running.snapshots.restore('kept');
    await jar.changes('c');
    await jar.settled();
    expect(await jar.heard()).toEqual(['a', 'c']);
  });

  test('is notified before the clock moves on', async () => {
    await jar.activate('test.one');
    await jar.changes('a');
    await jar.running.advance('1s');
    expect(await jar.heard()).toEqual(['a']);
  });
});

let trouble = new Set<string>();
const fragile = noting('test.fragile', (subject) => {
  if (trouble.has(subject)) throw new Error(`cannot bear ${subject}`);
});

following('a follower that fails', [fragile, noting('test.one')], (jar) => {
  test('has processed the changes before the failing one, blocks those behind it, and is retried later', async () => {
    trouble = new Set(['s7']);
    await jar.activate('test.fragile', 'test.one');
    await jar.changes(...names(20));
    await jar.settled();
    expect(await jar.heard('test.fragile')).toEqual(names(7));
    expect(await jar.heard('test.one')).toEqual(names(20));
    await jar.running.advance('1h');
    expect(await jar.heard('test.fragile')).toEqual(names(7));
    trouble.clear();
    await jar.running.advance('1h');
    expect(await jar.heard('test.fragile')).toEqual(names(20));
  });

  test('receives the changes that a snapshot kept for it', async () => {
    trouble = new Set(['a']);
    await jar.activate('test.fragile');
    await jar.changes('a');
    await jar.settled();
    await jar.running.snapshots.save('kept');
    await jar.running.reset();
    trouble.clear();
    await jar.running.snapshots.restore('kept');
    await jar.running.advance('1h');
    expect(await jar.heard('test.fragile')).toEqual(['a']);
  });

  test('does not lose a change if the error disappears with the next one', async () => {
    trouble = new Set(['a']);
    await jar.activate('test.fragile');
    await jar.changes('a');
    await jar.settled();
    trouble.clear();
    await jar.changes('b');
    await jar.settled();
    expect(await jar.heard('test.fragile')).toEqual(['a', 'b']);
  });
});

let undecided = false;
const confused = {
  ...noting('test.confused'),
  wants: ({ kind }: { kind: string }) => {
    if (undecided) throw new Error('cannot tell');
    return kind === 'good';
  },
};

following('a follower whose wants throws', [confused], (jar) => {
  test('does not affect the change, and receives it once it works', async () => {
    await jar.activate('test.confused');
    await jar.settled();
    undecided = true;
    await jar.changes('a');
    await jar.settled();
    expect(await jar.heard('test.confused')).toEqual([]);
    undecided = false;
    await jar.running.advance('1h');
    expect(await jar.heard('test.confused')).toEqual(['a']);
  });
});
