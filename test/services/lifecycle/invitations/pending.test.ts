import { expect, it, onTestFinished } from 'vitest';
import type { Jar } from '../../../../src/kernel/service/jar.ts';
import { openSqlite } from '../../../../src/kernel/store/index.ts';
import { purgeOf } from '../../../../src/services/lifecycle/apps/deletion.ts';
import { ACCOUNT_COLLECTIONS, invitations } from '../../../../src/services/lifecycle/collections.ts';
import { pendingFor, requirePending, sendInvitation } from '../../../../src/services/lifecycle/invitations/pending.ts';

const DAY_MS = 86_400_000;
const TARGET = { appId: 'app' };
const WANTED = { email: 'ada@vendor.example', role: 'viewer', invitedBy: 'somebody' } as const;

/** A store without due work, and a clock that is moved manually. */
async function standing() {
  const store = await openSqlite({ collections: ACCOUNT_COLLECTIONS });
  onTestFinished(() => store.close());
  let time = 0;
  const clock = { now: () => time } as Jar['clock'];
  return { store, clock, move: (ms: number) => (time += ms) };
}

it('an invitation is over when its time is, even if it has not been removed yet', async () => {
  const { store, clock, move } = await standing();
  await store.transact((tx) => sendInvitation(tx, { clock }, TARGET, WANTED));
  const [first] = await pendingFor(store, { clock }, TARGET);
  const find = () => store.transact((tx) => requirePending(tx, { clock }, TARGET, 'ADA@vendor.example'));
  move(30 * DAY_MS - 1);
  expect((await find()).id).toBe(first?.id);
  move(1);
  await expect(find()).rejects.toMatchObject({ status: 404, code: 'NotFound' });
  expect(await pendingFor(store, { clock }, TARGET)).toEqual([]);
  await store.transact((tx) => sendInvitation(tx, { clock }, TARGET, WANTED));
  expect((await find()).id).not.toBe(first?.id);
});

it('what an app has left behind is removed in slices', async () => {
  const { store, clock } = await standing();
  await store.transact(async (tx) => {
    for (const appId of ['app', 'other']) {
      for (const name of ['a', 'b', 'c'])
        await sendInvitation(tx, { clock }, { appId }, { ...WANTED, email: `${name}@x` });
    }
  });
  const purge = purgeOf(invitations, (value) => ({ filter: { op: 'eq', field: 'appId', value } }));
  const slice = () => store.transact((tx) => purge(tx, 'app', 2));
  expect([await slice(), await slice(), await slice()]).toEqual([2, 1, 0]);
  expect(await store.count(invitations)).toBe(3);
});
