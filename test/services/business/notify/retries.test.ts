import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../benches.ts';
import { control } from '../webhooks/support.ts';
import { type Desk, expectStatus, openDesk } from './support.ts';

/** Seconds after the change: 30 of delay, then 0, 1, 2, 12, 112 and 1112 minutes, then every 6 hours. */
const ATTEMPTS = [30, 90, 150, 750, 6750, 66_750, 88_350, 109_950];
const END = 30 + 36 * 3600;

onAnyStore('notifications that are not taken', (bench) => {
  let desk: Desk;
  let count = 0;
  let inbox = '';
  beforeEach(async () => {
    desk ??= await openDesk(bench);
    inbox = `retries-${++count}`;
  });
  afterEach(async () => {
    await bench.jar.faults.clear();
    await desk.clear();
  });
  const advance = (by: string) => bench.jar.clock.advance(by);
  const respond = (status: number) => bench.jar.inbox(inbox).respond({ status });
  const removal = async (id: string) => (await control(bench, 'GET', `business/subscriptions/${id}`)).body;
  const deliveries = async () =>
    (await control(bench, 'GET', 'deliveries?policy=business.webhook&state=queued')).body.value;

  it('are retried on the steps of 36 hours; then they are dropped and the subscription is removed', async () => {
    const { subscriptionId } = await desk.hooks.make('customers', inbox);
    await respond(503);
    const began = bench.jar.clock.now();
    await desk.books.make('customers', { displayName: 'Unreachable' });
    await advance(`${END - 1}s`);
    expect(await desk.triedAt(inbox, began)).toEqual(ATTEMPTS);
    expectStatus(await desk.hooks.read(subscriptionId), 200);
    await advance('1s');
    expect(await desk.triedAt(inbox, began)).toEqual(ATTEMPTS);
    expectStatus(await desk.hooks.read(subscriptionId), 404);
    const removed = await removal(subscriptionId);
    expect(removed).toMatchObject({ state: 'removed', reason: 'undeliverable' });
    expect(removed.detail).toContain('503');
    expect((Date.parse(removed.removedAt) - began.getTime()) / 1000).toBe(END);
    await respond(200);
    await desk.books.make('customers', { displayName: 'Later' });
    await advance('36h');
    expect(await desk.triedAt(inbox, began)).toEqual(ATTEMPTS);
  });

  it.each([408, 429, 500, 501, 502, 503, 504, 599])('are retried after %i', async (status) => {
    await desk.hooks.make('customers', inbox);
    await bench.jar.inbox(inbox).failTimes(1, status);
    const began = bench.jar.clock.now();
    await desk.books.make('customers', { displayName: 'Again' });
    await advance('2m');
    expect(await desk.triedAt(inbox, began)).toEqual([30, 90]);
    expect(await deliveries()).toEqual([]);
  });

  it('are retried after no answer', async () => {
    await desk.hooks.make('customers', inbox);
    const { subscriptionId } = await desk.hooks.make('vendors', inbox);
    await bench.jar.faults.add({
      match: { direction: 'outbound', service: 'business' },
      effect: { drop: true },
      count: 2,
    });
    const began = bench.jar.clock.now();
    await desk.books.make('customers', { displayName: 'Cut off' });
    await advance('10m');
    expect(await desk.triedAt(inbox, began)).toEqual([150]);
    expectStatus(await desk.hooks.read(subscriptionId), 200);
  });

  it.each([201, 202, 204, 299])('are delivered by %i', async (status) => {
    const { subscriptionId } = await desk.hooks.make('customers', inbox);
    await respond(status);
    const began = bench.jar.clock.now();
    await desk.books.make('customers', { displayName: 'Taken' });
    await advance('36h');
    expect(await desk.triedAt(inbox, began)).toEqual([30]);
    expectStatus(await desk.hooks.read(subscriptionId), 200);
  });

  it.each([301, 302, 304, 307, 400, 401, 403, 404, 410, 413, 418])(
    'are given up by %i, and every subscription to the address is removed',
    async (status) => {
      const { subscriptionId } = await desk.hooks.make('customers', inbox);
      const neighbour = await desk.hooks.make('vendors', inbox);
      const other = await desk.hooks.make('vendors', `${inbox}-other`);
      await respond(status);
      const began = bench.jar.clock.now();
      await desk.books.make('customers', { displayName: 'Refused' });
      await advance('36h');
      expect(await desk.triedAt(inbox, began)).toEqual([30]);
      for (const id of [subscriptionId, neighbour.subscriptionId]) {
        expectStatus(await desk.hooks.read(id), 404);
        const removed = await removal(id);
        expect(removed).toMatchObject({ state: 'removed', reason: 'refused' });
        expect(removed.detail).toContain(`answered ${status}`);
      }
      expectStatus(await desk.hooks.read(other.subscriptionId), 200);
    },
  );

  it('do not delay later changes: these are sent after their delay, together with the failed ones', async () => {
    await desk.hooks.make('customers', inbox);
    await bench.jar.inbox(inbox).failTimes(3, 500);
    const began = bench.jar.clock.now();
    const first = await desk.books.make('customers', { displayName: 'First' });
    await advance('2m');
    const second = await desk.books.make('customers', { displayName: 'Second' });
    await advance('20m');
    expect(await desk.triedAt(inbox, began)).toEqual([30, 90, 150, 210]);
    const told = (await desk.bodies(inbox)).at(-1)?.map(({ resource }) => resource);
    expect(told).toEqual([first, second].map(({ id }) => `${desk.hooks.resource('customers')}(${id})`));
  });

  describe('while they are retried', () => {
    it('lose the entries of a subscription that is deleted, and end with the last one', async () => {
      const one = await desk.hooks.make('customers', inbox);
      const two = await desk.hooks.make('customers', inbox);
      await respond(503);
      await desk.books.make('customers', { displayName: 'Shared' });
      await advance('30s');
      expectStatus(await desk.hooks.remove(one.subscriptionId), 204);
      await advance('60s');
      const bodies = await desk.bodies(inbox);
      expect(bodies.map((body) => body.length)).toEqual([2, 1]);
      expect(bodies[1]?.[0]?.subscriptionId).toBe(two.subscriptionId);
      expectStatus(await desk.hooks.remove(two.subscriptionId), 204);
      expect(await deliveries()).toEqual([]);
      await advance('36h');
      expect(await desk.bodies(inbox)).toHaveLength(2);
    });

    it('carry the client state and the expiry of a renewal', async () => {
      const { subscriptionId } = await desk.hooks.make('customers', inbox, { clientState: 'before' });
      await respond(503);
      await desk.books.make('customers', { displayName: 'Renewed' });
      await advance('30s');
      const renewed = expectStatus(await desk.hooks.renew(subscriptionId, { clientState: 'after' }), 200).body;
      await respond(200);
      await advance('60s');
      const [first, second] = await desk.entries(inbox);
      expect(first?.clientState).toBe('before');
      expect(second).toMatchObject({ clientState: 'after', expirationDateTime: renewed.expirationDateTime });
      expect(second?.resource).toBe(first?.resource);
    });

    it('follow the subscription to another address', async () => {
      const { subscriptionId } = await desk.hooks.make('customers', inbox);
      await respond(503);
      const { id } = await desk.books.make('customers', { displayName: 'Moved' });
      await advance('30s');
      const notificationUrl = desk.hooks.inbox(`${inbox}-moved`);
      expectStatus(await desk.hooks.renew(subscriptionId, { notificationUrl }), 200);
      await advance('36h');
      expect(await desk.bodies(inbox)).toHaveLength(1);
      expect((await desk.entries(`${inbox}-moved`)).map(({ resource }) => resource)).toEqual([
        `${desk.hooks.resource('customers')}(${id})`,
      ]);
    });

    it('end with the expiry of the subscription', async () => {
      const change = (ApiSubscriptionExpiration: string | null) =>
        control(bench, 'PATCH', 'business/settings', { ApiSubscriptionExpiration });
      expectStatus(await change('1h'), 200);
      const { subscriptionId } = await desk.hooks.make('customers', inbox);
      expectStatus(await change(null), 200);
      await respond(503);
      const began = bench.jar.clock.now();
      await desk.books.make('customers', { displayName: 'Expired' });
      await advance('36h');
      expect(await desk.triedAt(inbox, began)).toEqual([30, 90, 150, 750]);
      expect(await removal(subscriptionId)).toMatchObject({ reason: 'expired' });
      expect(await deliveries()).toEqual([]);
    });

    it.each([
      ['the delay ends', 3570, []],
      ['the first attempt was a second before', 3569, [30]],
      ['it is tried again', 3510, [30]],
    ])('are not sent at the very instant of the expiry, when %s', async (_, seconds, attempts) => {
      const change = (ApiSubscriptionExpiration: string | null) =>
        control(bench, 'PATCH', 'business/settings', { ApiSubscriptionExpiration });
      expectStatus(await change('1h'), 200);
      const { subscriptionId } = await desk.hooks.make('customers', inbox);
      expectStatus(await change(null), 200);
      await respond(503);
      await advance(`${seconds}s`);
      const began = bench.jar.clock.now();
      await desk.books.make('customers', { displayName: 'Too late' });
      await advance('36h');
      expect(await desk.triedAt(inbox, began)).toEqual(attempts);
      expect(await removal(subscriptionId)).toMatchObject({ reason: 'expired' });
      expect(await deliveries()).toEqual([]);
    });
  });

  it('use another schedule and retry window if the settings say so', async () => {
    const settings = { ApiSubscriptionRetrySchedule: ['10s', '20s'], ApiSubscriptionRetryWindow: '1m' };
    expectStatus(await control(bench, 'PATCH', 'business/settings', settings), 200);
    const { subscriptionId } = await desk.hooks.make('customers', inbox);
    await respond(503);
    const began = bench.jar.clock.now();
    await desk.books.make('customers', { displayName: 'Sooner' });
    await advance('1h');
    expect(await desk.triedAt(inbox, began)).toEqual([30, 40, 60, 80]);
    const removed = await removal(subscriptionId);
    expect((Date.parse(removed.removedAt) - began.getTime()) / 1000).toBe(90);
    const standard = { ApiSubscriptionRetrySchedule: null, ApiSubscriptionRetryWindow: null };
    expectStatus(await control(bench, 'PATCH', 'business/settings', standard), 200);
  });
});
