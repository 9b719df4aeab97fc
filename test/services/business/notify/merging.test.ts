import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../benches.ts';
import { control } from '../webhooks/support.ts';
import { type Desk, expectStatus, openDesk, short } from './support.ts';

const HOUR = 3600;
const WINDOW = 36 * HOUR;
/** Small, so that a few changes make a collection. */
const MOST = 2;

function benchOf(bench: Parameters<typeof openDesk>[0]) {
  const own = { desk: undefined as Desk | undefined, inbox: '', count: 0 };
  beforeEach(async () => {
    own.desk ??= await openDesk(bench);
    own.inbox = `merging-${++own.count}`;
  });
  afterEach(async () => {
    await settings({ OnGetMaxNumberOfNotifications: null });
    await own.desk?.clear();
  });
  const desk = (): Desk => own.desk as Desk;
  const settings = async (body: object) => expectStatus(await control(bench, 'PATCH', 'business/settings', body), 200);
  return {
    desk,
    settings,
    inbox: () => own.inbox,
    advance: (by: string) => bench.jar.clock.advance(by),
    fail: (times: number, status = 503) => bench.jar.inbox(own.inbox).failTimes(times, status),
    respond: (status: number) => bench.jar.inbox(own.inbox).respond({ status }),
    fewOnly: () => settings({ OnGetMaxNumberOfNotifications: MOST }),
    subscribe: async (set = 'customers') => (await desk().hooks.make(set, own.inbox)).subscriptionId as string,
    make: async (displayName: string, set = 'customers') =>
      (await desk().books.make(set, { displayName })).id as string,
    rename: async (id: string, displayName: string) =>
      expectStatus(await desk().books.patch(`customers(${id})`, { displayName }), 200),
    remove: async (id: string) => expectStatus(await desk().books.delete(`customers(${id})`), 204),
    bodies: async () => (await desk().bodies(own.inbox)).map((body) => body.map(short)),
    last: async () => (await desk().bodies(own.inbox)).at(-1) ?? [],
    triedAt: (began: Date) => desk().triedAt(own.inbox, began),
    now: () => bench.jar.clock.now(),
  };
}

onBothStores('what an address has not accepted, and what changes since', (bench) => {
  const { desk, inbox, advance, fail, fewOnly, subscribe, make, rename, remove, bodies, last, triedAt, now } =
    benchOf(bench);

  it('are sent together 30 seconds after the new change, however long the delay of the old one is', async () => {
    await subscribe();
    await fail(3);
    const began = now();
    const old = await make('Old');
    await advance('200s');
    const fresh = await make('New');
    await advance('1h');
    expect(await triedAt(began)).toEqual([30, 90, 150, 230]);
    expect((await bodies()).at(-1)).toEqual([`created customers(${old})`, `created customers(${fresh})`]);
  });

  it('are one collection from the first change on, if a collection failed and a record is created', async () => {
    await fewOnly();
    await subscribe();
    await fail(1);
    const began = now().getTime();
    for (const name of ['A', 'B', 'C']) await make(name);
    await advance('45s');
    await make('D');
    await advance('30s');
    const [first, second] = await desk().bodies(inbox());
    const resource = `${desk().hooks.resource('customers')}?$filter=lastModifiedDateTime%20gt%20${new Date(began - 50).toISOString()}`;
    expect(first).toMatchObject([{ changeType: 'collection', resource }]);
    expect(second).toMatchObject([
      { changeType: 'collection', resource, lastModifiedDateTime: new Date(began + 45_000).toISOString() },
    ]);
    expect(second).toHaveLength(1);
  });

  it.each(['the old ones', 'the new ones'])(
    'are one collection without a filter, with a delete among %s',
    async (where) => {
      const gone = await make('Gone');
      await fewOnly();
      await subscribe();
      await fail(1);
      for (const name of ['A', 'B', 'C']) await make(name);
      if (where === 'the old ones') await remove(gone);
      await advance('45s');
      if (where === 'the new ones') await remove(gone);
      else await make('D');
      await advance('30s');
      expect(await last()).toMatchObject([{ changeType: 'collection', resource: desk().hooks.resource('customers') }]);
    },
  );

  it.each([408, 429, 500, 502, 503, 504])('are in one payload after %i', async (status) => {
    await subscribe();
    await fail(1, status);
    const made = [await make('One')];
    await advance('40s');
    made.push(await make('Two'));
    await advance('30s');
    expect(await bodies()).toEqual([[`created customers(${made[0]})`], made.map((id) => `created customers(${id})`)]);
  });

  it('keep their order: updated, deleted, created, updated', async () => {
    const id = randomUUID();
    const again = () => desk().books.make('customers', { id, displayName: 'Again' });
    await again();
    await subscribe();
    const expected = ['updated', 'deleted', 'created', 'updated'].map((type) => `${type} customers(${id})`);
    await rename(id, 'First');
    await remove(id);
    await again();
    await rename(id, 'Second');
    await advance('30s');
    expect((await bodies()).at(-1)).toEqual(expected);

    await fail(3);
    await rename(id, 'First');
    await advance('30s');
    await remove(id);
    await advance('30s');
    await again();
    await advance('30s');
    await rename(id, 'Second');
    await advance('30s');
    expect((await bodies()).at(-1)).toEqual(expected);
  });

  it('merge updates of a record with nothing in between, with the time of the last one', async () => {
    const id = await make('Renamed');
    const other = await make('Other');
    await subscribe();
    await fail(1);
    await rename(id, 'Once');
    await rename(other, 'Changed');
    await advance('40s');
    const at = now().toISOString();
    await rename(id, 'Twice');
    await advance('30s');
    expect((await last()).map(short)).toEqual([`updated customers(${other})`, `updated customers(${id})`]);
    expect((await last()).at(-1)).toMatchObject({ lastModifiedDateTime: at });
    const [change] = await desk().changes(id);
    expect(change.subscriptions).toMatchObject([
      { state: 'notified', rule: 'coalesced', delivery: { state: 'delivered', attempts: 2, joinedAfter: 1 } },
    ]);
  });

  it('are one delivery with every attempt, which the explanations of all changes name', async () => {
    await subscribe();
    await fail(2);
    const old = await make('Old');
    await advance('40s');
    const fresh = await make('New');
    await advance('1h');
    const explained = async (id: string) => (await desk().changes(id))[0].subscriptions[0];
    const [first, second] = [await explained(old), await explained(fresh)];
    expect(first).toMatchObject({ state: 'notified', delivery: { state: 'delivered', attempts: 3 } });
    expect(second).toMatchObject({ state: 'notified', delivery: { id: first.delivery.id, joinedAfter: 1 } });
    const { body } = await control(bench, 'GET', `deliveries/${first.delivery.id}`);
    expect(body.history.map(({ status }: { status: number }) => status)).toEqual([503, 503, 200]);
  });

  it('become one collection if they are too many together, and explanations say so', async () => {
    await fewOnly();
    await subscribe();
    await fail(1);
    const began = now().getTime();
    const old = await make('Old');
    await advance('40s');
    for (const name of ['A', 'B']) await make(name);
    await advance('30s');
    const from = new Date(began - 50).toISOString();
    expect(await last()).toMatchObject([
      { changeType: 'collection', resource: expect.stringContaining(`lastModifiedDateTime%20gt%20${from}`) },
    ]);
    const [change] = await desk().changes(old);
    expect(change.subscriptions).toMatchObject([{ state: 'notified', rule: 'collection' }]);
  });
});

onAnyStore('the schedule of what was merged', (bench) => {
  const { desk, inbox, advance, fail, respond, fewOnly, subscribe, make, rename, triedAt, now } = benchOf(bench);
  const removal = async (id: string) => (await control(bench, 'GET', `business/subscriptions/${id}`)).body;

  it('is counted per entry: a run for a new entry is no attempt of an old one', async () => {
    await subscribe();
    await respond(503);
    const began = now();
    await make('Old');
    await advance('200s');
    await make('New');
    await advance('2h');
    // The old entry is due at 30, 90, 150, 750 and 6750 seconds, the new one 200 seconds later each.
    expect(await triedAt(began)).toEqual([30, 90, 150, 230, 290, 350, 750, 950, 6750, 6950]);
  });

  it('is that of the earlier entry if an update joins it', async () => {
    const id = await make('Renamed');
    await subscribe();
    await respond(503);
    const began = now();
    await rename(id, 'Once');
    await advance('200s');
    await rename(id, 'Twice');
    await advance('2h');
    expect(await triedAt(began)).toEqual([30, 90, 150, 230, 750, 6750]);
  });

  it('is that of the oldest entry for a collection', async () => {
    await fewOnly();
    await subscribe();
    await respond(503);
    const began = now();
    await make('Old');
    await advance('200s');
    for (const name of ['A', 'B', 'C']) await make(name);
    await advance('2h');
    expect(await triedAt(began)).toEqual([30, 90, 150, 230, 750, 6750]);
  });

  it('includes the open window when an old entry is due, before the delay of the window is over', async () => {
    await subscribe();
    await fail(1);
    const began = now();
    await make('Old');
    await advance('80s');
    await make('New');
    await advance('1h');
    expect(await triedAt(began)).toEqual([30, 90]);
    expect((await desk().bodies(inbox())).at(-1)).toHaveLength(2);
    expect(await desk().windows()).toEqual([]);
  });

  describe('ends', () => {
    it('36 hours after the first attempt for each subscription by its own entries', async () => {
      const old = await subscribe();
      const other = await subscribe('vendors');
      await respond(503);
      const began = now();
      await make('Old');
      await advance('10h');
      const vendor = await make('Later', 'vendors');
      await advance(`${30 + WINDOW - 10 * HOUR - 1}s`);
      expectStatus(await desk().hooks.read(old), 200);
      await advance('1s');
      expect(await removal(old)).toMatchObject({ state: 'removed', reason: 'undeliverable' });
      expect((Date.parse((await removal(old)).removedAt) - began.getTime()) / 1000).toBe(30 + WINDOW);
      expectStatus(await desk().hooks.read(other), 200);
      await advance('2h');
      const body = (await desk().bodies(inbox())).at(-1) ?? [];
      expect(body.map(short)).toEqual([`created vendors(${vendor})`]);
      await advance('8h');
      expect(await removal(other)).toMatchObject({ state: 'removed', reason: 'undeliverable' });
      expect((Date.parse((await removal(other)).removedAt) - began.getTime()) / 1000).toBe(10 * HOUR + 30 + WINDOW);
    });

    it('with the subscription, also for what came later', async () => {
      const id = await subscribe();
      await respond(503);
      await make('Old');
      await advance('35h');
      await make('New');
      await advance(`${HOUR + 30}s`);
      expect(await removal(id)).toMatchObject({ state: 'removed', reason: 'undeliverable' });
      const queued = await control(bench, 'GET', 'deliveries?policy=business.webhook&state=queued');
      expect(queued.body.value).toEqual([]);
    });

    it('at once for all subscriptions to the address, when a merged message is refused', async () => {
      const ids = [await subscribe(), await subscribe('vendors')];
      await fail(1);
      await make('Old');
      await advance('40s');
      await respond(410);
      await make('New', 'vendors');
      await advance('30s');
      for (const id of ids) expect(await removal(id)).toMatchObject({ state: 'removed', reason: 'refused' });
    });
  });

  it('goes on from the start after a delivery was removed by hand', async () => {
    await subscribe();
    await respond(503);
    await make('Old');
    await advance('40s');
    const headers = { authorization: `Bearer ${bench.jar.adminKey}` };
    await bench.call('DELETE', '/_jar/deliveries?policy=business.webhook&state=queued', { token: null, headers });
    await respond(200);
    const fresh = await make('New');
    await advance('30s');
    expect((await desk().bodies(inbox())).at(-1)?.map(short)).toEqual([`created customers(${fresh})`]);
  });

  it('starts anew at another address, where it joins what has failed there', async () => {
    const moving = await subscribe();
    const there = `${inbox()}-there`;
    await desk().hooks.make('vendors', there);
    await respond(503);
    await bench.jar.inbox(there).failTimes(1, 503);
    const customer = await make('Moves');
    const vendor = await make('Stays', 'vendors');
    await advance('40s');
    expectStatus(await desk().hooks.renew(moving, { notificationUrl: desk().hooks.inbox(there) }), 200);
    await advance('1m');
    expect((await desk().bodies(there)).at(-1)?.map(short)).toEqual([
      `created vendors(${vendor})`,
      `created customers(${customer})`,
    ]);
    expect(await desk().bodies(inbox())).toHaveLength(1);
  });
});
