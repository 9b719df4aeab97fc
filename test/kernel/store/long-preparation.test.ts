import { expect, onTestFinished, test } from 'vitest';
import { collection } from '../../../src/kernel/store/collection.ts';
import { openPostgres } from '../../../src/kernel/store/index.ts';
import { pause } from '../../../src/kernel/time/timers.ts';
import { holdLock } from '../../support/held-lock.ts';
import { useEmptyDatabase } from '../../support/use-postgres.ts';

const SILENCE_MS = 1500;
const things = collection<{ n: number }>('test.things');

test('a start waits for tables that another node rebuilds, longer than a database may be silent', async (context) => {
  const url = await useEmptyDatabase(context, 'preparation');
  const lock = await holdLock(url, 'cloudjar.schema');
  onTestFinished(() => lock.release());
  const opening = openPostgres({ url, collections: [things], silenceMs: SILENCE_MS });
  // Its failure is checked below.
  opening.catch(() => {});
  await lock.wanted();
  await pause(SILENCE_MS * 2);
  await lock.release();
  const store = await opening;
  onTestFinished(() => store.close());
  await store.transact((tx) => tx.put(things, 'one', { n: 1 }));
  expect(store.health()).toEqual({ reachable: true });
});
