import { expect, test } from 'vitest';
import { followerPositions } from '../../../src/kernel/feed/positions.ts';
import { changeRecords } from '../../../src/kernel/store/views.ts';
import { following, type ListeningJar, noting } from './listening-jar.ts';

/** More than the 1,000 changes after which records are counted, so that a test can stay below it. */
const KEPT = 1200;

const failing = { fails: true };
const followers = [
  noting('test.one'),
  noting('test.stuck', () => {
    if (failing.fails) throw new Error('not today');
  }),
];

const names = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

async function kept(jar: ListeningJar): Promise<string[]> {
  const all = await jar.jar.store.changesAfter(undefined, 10_000);
  return all.map(({ subject }) => subject);
}

following(
  'change records',
  followers,
  (jar) => {
    test('are removed when they are older than a week, by the full hour, in steps', async () => {
      await jar.running.advance('30m');
      await jar.changes(...names(600, 'old'));
      await jar.running.advance('1d');
      await jar.changes('younger');
      await jar.running.advance('6d');
      expect(await kept(jar)).toHaveLength(601);
      await jar.running.advance('30m');
      expect(await kept(jar)).toEqual(['younger']);
      expect(await jar.jar.store.work.nextDue()).toBe(Date.parse('2030-01-09T01:00:00.000Z'));
      await jar.running.advance('1d');
      expect(await kept(jar)).toEqual([]);
      // An empty feed has no work.
      expect(await jar.jar.store.work.nextDue()).toBeUndefined();
      await jar.changes('next');
      expect(await kept(jar)).toEqual(['next']);
      await jar.running.advance('8d');
      expect(await kept(jar)).toEqual([]);
    });

    test('are removed when they are more than are kept, the oldest first', async () => {
      await jar.changes(...names(1800, 'a'));
      await jar.settled();
      expect(await kept(jar)).toEqual(names(1800, 'a').slice(-KEPT));
      await jar.changes(...names(1000, 'b'));
      await jar.settled();
      expect(await kept(jar)).toEqual([...names(1800, 'a').slice(-200), ...names(1000, 'b')]);
    });

    test('are counted right after a snapshot from long before is restored', async () => {
      await jar.changes(...names(10, 'early'));
      await jar.running.snapshots.save('early');
      for (let i = 0; i < 2; i++) await jar.changes(...names(1000, `${i} `));
      await jar.settled();
      await jar.running.snapshots.restore('early');
      await jar.running.snapshots.delete('early');
      await jar.changes(...names(1100, 'later'));
      await jar.settled();
      const restored = '/_jar/snapshots/early';
      expect(await kept(jar)).toEqual([...names(10, 'early'), restored, ...names(1100, 'later')]);
    });

    test('that a follower has yet to process stay, however many they are', async () => {
      failing.fails = true;
      await jar.activate('test.stuck');
      await jar.unwanted(5);
      await jar.changes(...names(1300, 'needed'));
      await jar.settled();
      expect(await kept(jar)).toEqual(names(1300, 'needed'));
      await jar.deactivate('test.stuck');
      await jar.unwanted(1000);
      await jar.settled();
      expect(await kept(jar)).toHaveLength(KEPT);
    });

    test('that no follower wants are not kept for one that has nothing to do', async () => {
      await jar.activate('test.one');
      await jar.changes('wanted');
      await jar.unwanted(150);
      await jar.running.advance('8d');
      expect(await kept(jar)).toEqual([]);
      await jar.changes('more');
      await jar.settled();
      expect(await jar.heard('test.one')).toEqual(['wanted', 'more']);
    });

    test('of a follower that this release does not know are kept', async () => {
      await jar.changes('a');
      await jar.jar.store.transact((tx) => tx.put(followerPositions, 'test.elsewhere', {}));
      await jar.running.advance('20d');
      expect(await kept(jar)).toEqual(['a']);
    });

    test('cause no needless work: only the first change of an hour schedules any', async () => {
      await jar.changes('a');
      // On PostgreSQL, right after the commit.
      const due = (): Promise<number | undefined> => jar.jar.store.work.nextDue();
      await expect.poll(due).toBe(Date.parse('2030-01-08T00:00:00.000Z'));
      await jar.changes(...names(50, 'b'));
      expect((await jar.jar.store.work.stats()).waiting).toBe(1);
      expect(await jar.jar.store.count(changeRecords)).toBe(51);
    });
  },
  { changeRetentionCount: KEPT },
);

/** Less than the default, because a failing follower is retried every hour of all these days. */
following(
  'change records of two days',
  followers,
  (jar) => {
    test('that a follower has yet to process stay, however old they are', async () => {
      failing.fails = true;
      await jar.activate('test.one', 'test.stuck');
      // Few, because the follower is retried every hour of these days, with half the batch size after each failure.
      await jar.unwanted(5);
      await jar.changes(...names(2, 'needed'));
      await jar.running.advance('3d');
      expect(await kept(jar)).toEqual(names(2, 'needed'));
      expect(await jar.heard('test.one')).toHaveLength(2);
      failing.fails = false;
      await jar.running.advance('3d');
      expect(await jar.heard('test.stuck')).toEqual(names(2, 'needed'));
      expect(await kept(jar)).toEqual([]);
    });
  },
  { changeRetentionDays: 2 },
);
