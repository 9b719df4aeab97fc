import { afterEach, beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../benches.ts';
import type { Books } from '../support.ts';
import { type Desk, openDesk, short } from './support.ts';

onBothStores('changes by users who wait for others', (bench) => {
  let desk: Desk;
  let delegated: Books;
  let withoutJobs: Books;
  let licensed: Books;
  beforeEach(async () => {
    desk ??= await openDesk(bench);
    delegated ??= await desk.as('delegated-admin');
    withoutJobs ??= await desk.as('no-job-queue');
    licensed ??= await desk.as('licensed');
  });
  afterEach(() => desk.clear());
  const advance = (by: string) => bench.jar.clock.advance(by);

  it('of a delegated administrator are sent with the next change of a licensed user, to any entity', async () => {
    await desk.hooks.make('customers', 'delegated');
    await desk.hooks.make('vendors', 'delegated-vendors');
    const held = await delegated.make('customers', { displayName: 'Held' });
    await advance('36h');
    expect(await desk.bodies('delegated')).toEqual([]);
    expect(await desk.windows()).toMatchObject([
      { state: 'held', waitsFor: 'a licensed user to change a subscribed entity of the company' },
    ]);
    expect((await desk.changes(held.id))[0].subscriptions).toMatchObject([
      { state: 'held', held: { because: 'the change was made by a delegated administrator' } },
    ]);

    await licensed.make('vendors', { displayName: 'Releases' });
    await advance('29s');
    expect(await desk.bodies('delegated')).toEqual([]);
    await advance('1s');
    expect((await desk.entries('delegated')).map(short)).toEqual([`created customers(${held.id})`]);
    expect(await desk.bodies('delegated-vendors')).toHaveLength(1);
    expect(await desk.windows()).toEqual([]);
    const [change] = await desk.changes(held.id);
    expect(change.subscriptions).toMatchObject([{ state: 'notified', held: { releasedByTable: 'vendor' } }]);
    expect(change.subscriptions[0].held.releasedBy).not.toBe('');
  });

  it('of a delegated administrator are in one message with those of all others', async () => {
    await desk.hooks.make('customers', 'all-users');
    const one = await delegated.make('customers', { displayName: 'By a delegate' });
    await advance('1h');
    const two = await licensed.make('customers', { displayName: 'By a user' });
    await advance('10s');
    const three = await delegated.make('customers', { displayName: 'By a delegate again' });
    await advance('20s');
    const [body = [], ...others] = await desk.bodies('all-users');
    expect(others).toEqual([]);
    expect(body.map(short)).toEqual([one, two, three].map(({ id }) => `created customers(${id})`));
  });

  it('of a delegated administrator are not released by a change that nobody has subscribed to', async () => {
    await desk.hooks.make('customers', 'unsubscribed');
    await delegated.make('customers', { displayName: 'Waits on' });
    await licensed.make('items', { displayName: 'Nobody watches items' });
    await advance('36h');
    expect(await desk.bodies('unsubscribed')).toEqual([]);
  });

  it('of a user who cannot schedule jobs wait for one who can to change the same table', async () => {
    await desk.hooks.make('customers', 'jobs');
    await desk.hooks.make('vendors', 'jobs');
    const held = await withoutJobs.make('customers', { displayName: 'Held' });
    const vendor = await licensed.make('vendors', { displayName: 'Another table' });
    await advance('30s');
    expect((await desk.entries('jobs')).map(short)).toEqual([`created vendors(${vendor.id})`]);
    expect(await desk.windows()).toMatchObject([
      { state: 'held', waitsFor: 'a user who can schedule jobs to change the same table' },
    ]);
    const released = await licensed.make('customers', { displayName: 'Releases' });
    await advance('30s');
    expect((await desk.bodies('jobs'))[1]?.map(short)).toEqual([
      `created customers(${held.id})`,
      `created customers(${released.id})`,
    ]);
  });

  it('of a user who cannot schedule jobs join an open window with a change of the same table', async () => {
    await desk.hooks.make('customers', 'along');
    const one = await licensed.make('customers', { displayName: 'Opens' });
    await advance('10s');
    const two = await withoutJobs.make('customers', { displayName: 'Goes along' });
    await advance('20s');
    expect((await desk.entries('along')).map(short)).toEqual([one, two].map(({ id }) => `created customers(${id})`));
  });

  it('are not released by a user whose changes are held, too, but all by an application', async () => {
    await desk.hooks.make('customers', 'waiting');
    const one = await delegated.make('customers', { displayName: 'One' });
    const two = await withoutJobs.make('customers', { displayName: 'Two' });
    const three = await delegated.make('customers', { displayName: 'Three' });
    await advance('1h');
    expect(await desk.bodies('waiting')).toEqual([]);
    expect((await desk.windows()).map(({ state }) => state)).toEqual(['held', 'held']);
    const four = await (await desk.as('app')).make('customers', { displayName: 'Four' });
    await advance('30s');
    const told = (await desk.bodies('waiting')).map((entries) => entries.map(short).sort());
    expect(told).toEqual([[one, two, three, four].map(({ id }) => `created customers(${id})`).sort()]);
  });

  it('coalesce with what releases them', async () => {
    const customer = await desk.books.make('customers', { displayName: 'Known' });
    await desk.hooks.make('customers', 'coalesced-holds');
    await withoutJobs.patch(`customers(${customer.id})`, { displayName: 'One' });
    await delegated.patch(`customers(${customer.id})`, { displayName: 'Two' });
    await advance('1h');
    await licensed.patch(`customers(${customer.id})`, { displayName: 'Three' });
    await advance('30s');
    expect((await desk.entries('coalesced-holds')).map(short)).toEqual([`updated customers(${customer.id})`]);
  });

  it('become a collection if they are too many together with the changes that release them', async () => {
    const settings = (most: number | null) =>
      bench.call('PATCH', '/_jar/business/settings', {
        token: bench.jar.adminKey,
        body: { OnGetMaxNumberOfNotifications: most },
      });
    expect((await settings(2)).status).toBe(200);
    await desk.hooks.make('customers', 'held-collection');
    await desk.hooks.make('vendors', 'held-collection');
    for (const displayName of ['A', 'B', 'C']) await delegated.make('customers', { displayName });
    await delegated.make('vendors', { displayName: 'D' });
    await withoutJobs.make('vendors', { displayName: 'E' });
    await licensed.make('vendors', { displayName: 'F' });
    await advance('30s');
    const entries = await desk.entries('held-collection');
    expect(entries.map(({ changeType }) => changeType)).toEqual(['collection', 'collection']);
    expect((await settings(null)).status).toBe(200);
  });

  it('leave nothing for the next notification when they are released into a collection', async () => {
    const settings = (most: number | null) =>
      bench.call('PATCH', '/_jar/business/settings', {
        token: bench.jar.adminKey,
        body: { OnGetMaxNumberOfNotifications: most },
      });
    expect((await settings(2)).status).toBe(200);
    await desk.hooks.make('customers', 'into-collection');
    await desk.hooks.make('vendors', 'into-collection');
    await licensed.make('customers', { displayName: 'Opens the window' });
    // These changes join the window and become a collection; the next one is held until its own table changes.
    for (const displayName of ['A', 'B', 'C']) await delegated.make('vendors', { displayName });
    await withoutJobs.make('vendors', { displayName: 'D' });
    await licensed.make('vendors', { displayName: 'E' });
    await advance('30s');
    const first = (await desk.entries('into-collection')).map(({ changeType }) => changeType).sort();
    expect(first).toEqual(['collection', 'created']);
    const { id } = await licensed.make('vendors', { displayName: 'F' });
    await advance('30s');
    expect((await desk.bodies('into-collection')).at(-1)?.map(short)).toEqual([`created vendors(${id})`]);
    expect((await settings(null)).status).toBe(200);
  });

  it('are deleted even if they are made while the subscription is being deleted', async () => {
    for (let round = 0; round < 10; round++) {
      const { subscriptionId } = await desk.hooks.make('customers', 'racing');
      const changes = [1, 2, 3].map((n) => withoutJobs.make('customers', { displayName: `No. ${n}` }));
      await Promise.all([desk.hooks.remove(subscriptionId), ...changes]);
      expect(await desk.windows()).toEqual([]);
    }
  });

  it('are deleted when their subscription expires, and the trace says so', async () => {
    const { subscriptionId } = await desk.hooks.make('customers', 'expired-holds');
    const held = await withoutJobs.make('customers', { displayName: 'Never told' });
    await advance('3d');
    const next = await desk.hooks.make('customers', 'expired-holds');
    await licensed.make('customers', { displayName: 'Told' });
    await advance('30s');
    expect((await desk.entries('expired-holds')).map((entry) => entry.subscriptionId)).toEqual([next.subscriptionId]);
    const [change] = await desk.changes(held.id);
    expect(change.subscriptions).toMatchObject([
      { subscription: subscriptionId, state: 'not notified', rule: 'subscription-removed' },
    ]);
    expect(change.subscriptions[0].reason).toContain('expired');
    expect(await desk.windows()).toEqual([]);
  });

  it('are deleted with their subscription', async () => {
    const { subscriptionId } = await desk.hooks.make('customers', 'forgotten');
    const held = await delegated.make('customers', { displayName: 'Never told' });
    await desk.hooks.remove(subscriptionId);
    await desk.hooks.make('customers', 'forgotten');
    await licensed.make('customers', { displayName: 'Told' });
    await advance('30s');
    expect(await desk.entries('forgotten')).toHaveLength(1);
    const [change] = await desk.changes(held.id);
    expect(change.subscriptions).toMatchObject([{ state: 'not notified', rule: 'subscription-removed' }]);
  });
});
