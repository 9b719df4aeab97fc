import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onBothStores } from '../benches.ts';
import { control } from '../webhooks/support.ts';
import { type Desk, expectStatus, openDesk, short } from './support.ts';

onBothStores('subscriptions that are changed while they are to be told something', (bench) => {
  let desk: Desk;
  let count = 0;
  let inbox = '';
  beforeEach(async () => {
    desk ??= await openDesk(bench);
    inbox = `changed-${++count}`;
  });
  afterEach(() => desk.clear());
  const advance = (by: string) => bench.jar.clock.advance(by);
  const respond = (status: number) => bench.jar.inbox(inbox).respond({ status });
  const told = async (name = inbox) => (await desk.entries(name)).map(short);

  describe('in an open window', () => {
    it('are sent to the new address, with the new client state and expiry', async () => {
      const { subscriptionId } = await desk.hooks.make('customers', inbox, { clientState: 'before' });
      const one = await desk.books.make('customers', { displayName: 'One' });
      await advance('10s');
      const notificationUrl = desk.hooks.inbox(`${inbox}-new`);
      const renewed = expectStatus(
        await desk.hooks.renew(subscriptionId, { notificationUrl, clientState: 'after' }),
        200,
      );
      const two = await desk.books.make('customers', { displayName: 'Two' });
      await advance('20s');
      expect(await told()).toEqual([]);
      expect(await told(`${inbox}-new`)).toEqual([one, two].map(({ id }) => `created customers(${id})`));
      for (const entry of await desk.entries(`${inbox}-new`)) {
        expect(entry).toMatchObject({
          clientState: 'after',
          expirationDateTime: renewed.body.expirationDateTime,
        });
      }
      await advance('1h');
      expect(await told(`${inbox}-new`)).toHaveLength(2);
    });

    it('are dropped if they belong to the formerly watched resource, and the trace says why', async () => {
      const { subscriptionId } = await desk.hooks.make('customers', inbox);
      const customer = await desk.books.make('customers', { displayName: 'Before' });
      expectStatus(await desk.hooks.renew(subscriptionId, { resource: desk.hooks.resource('vendors') }), 200);
      const vendor = await desk.books.make('vendors', { displayName: 'After' });
      await advance('1m');
      expect(await told()).toEqual([`created vendors(${vendor.id})`]);
      const [change] = await desk.changes(customer.id);
      expect(change.subscriptions).toMatchObject([{ state: 'not notified', rule: 'resource-changed' }]);
    });
  });

  describe('while a message to several of them is retried', () => {
    it('lose their entries when they watch another resource, and the other subscriptions keep theirs', async () => {
      const moved = await desk.hooks.make('customers', inbox);
      const other = await desk.hooks.make('customers', inbox);
      await respond(503);
      const { id } = await desk.books.make('customers', { displayName: 'Retried' });
      await advance('30s');
      expectStatus(await desk.hooks.renew(moved.subscriptionId, { resource: desk.hooks.resource('vendors') }), 200);
      await respond(200);
      await advance('1m');
      const last = (await desk.bodies(inbox)).at(-1);
      expect(last?.map(({ subscriptionId }) => subscriptionId)).toEqual([other.subscriptionId]);
      const [change] = await desk.changes(id);
      const by = (subscription: string) =>
        change.subscriptions.find((each: { subscription: string }) => each.subscription === subscription);
      expect(by(other.subscriptionId)).toMatchObject({ state: 'notified', rule: 'entry' });
      expect(by(moved.subscriptionId)).toMatchObject({ state: 'not notified', rule: 'resource-changed' });
    });

    it('are not reported as notified by a message that was delivered to others after they were deleted', async () => {
      const gone = await desk.hooks.make('customers', inbox);
      const other = await desk.hooks.make('customers', inbox);
      await respond(503);
      const { id } = await desk.books.make('customers', { displayName: 'Retried' });
      await advance('30s');
      expectStatus(await desk.hooks.remove(gone.subscriptionId), 204);
      await respond(200);
      await advance('1m');
      expect((await desk.bodies(inbox)).at(-1)).toMatchObject([{ subscriptionId: other.subscriptionId }]);
      const [change] = await desk.changes(id);
      expect(change.summary).toMatch(/notified: 1, not notified: 1|not notified: 1, notified: 1/);
    });

    it('are notified once when they change to another address and back', async () => {
      const moving = await desk.hooks.make('customers', inbox);
      await desk.hooks.make('customers', inbox);
      await respond(503);
      const { id } = await desk.books.make('customers', { displayName: 'There and back' });
      await advance('30s');
      const there = `${inbox}-new`;
      await bench.jar.inbox(there).respond({ status: 503 });
      const move = async (name: string) =>
        expectStatus(await desk.hooks.renew(moving.subscriptionId, { notificationUrl: desk.hooks.inbox(name) }), 200);
      await move(there);
      const queued = () => control(bench, 'GET', 'deliveries?policy=business.webhook&state=queued');
      const attempts = async () => (await queued()).body.value.map((each: { attempts: number }) => each.attempts);
      await expect.poll(attempts).toEqual([1, 1]);
      await respond(200);
      await move(inbox);
      await advance('1h');
      expect(await told(there)).toEqual([`created customers(${id})`]);
      const [, ...after] = await desk.bodies(inbox);
      const own = after.flat().filter(({ subscriptionId }) => subscriptionId === moving.subscriptionId);
      expect(own.map(short)).toEqual([`created customers(${id})`]);
    });

    it('are explained by the message that was delivered at the new address', async () => {
      const { subscriptionId } = await desk.hooks.make('customers', inbox);
      await respond(503);
      const { id } = await desk.books.make('customers', { displayName: 'Followed' });
      await advance('30s');
      expectStatus(await desk.hooks.renew(subscriptionId, { notificationUrl: desk.hooks.inbox(`${inbox}-new`) }), 200);
      await advance('1m');
      expect(await told(`${inbox}-new`)).toEqual([`created customers(${id})`]);
      const [change] = await desk.changes(id);
      expect(change.subscriptions).toMatchObject([{ state: 'notified', delivery: { state: 'delivered' } }]);
    });
  });
});
