import { afterEach, beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../benches.ts';
import { control } from '../webhooks/support.ts';
import { type Desk, expectStatus, openDesk } from './support.ts';

onBothStores('the explanation of changes', (bench) => {
  let desk: Desk;
  beforeEach(async () => {
    desk ??= await openDesk(bench);
  });
  afterEach(() => desk.clear());
  const advance = (by: string) => bench.jar.clock.advance(by);

  it('say that no subscription watched the table', async () => {
    const { id } = await desk.books.make('customers', { displayName: 'Alone' });
    const [change] = await desk.changes(id);
    expect(change).toMatchObject({
      changeType: 'created',
      table: 'customer',
      recordId: id,
      company: { id: desk.books.id },
      summary: "Not notified: no live subscription watched 'customer' of the company.",
      subscriptions: [],
    });
    expect((await control(bench, 'GET', `business/changes/${change.id}`)).body).toEqual(change);
  });

  it('follows a change from its window to its delivery', async () => {
    const { subscriptionId: subscription } = await desk.hooks.make('customers', 'explained');
    const { id } = await desk.books.make('customers', { displayName: 'Followed' });
    await desk.books.patch(`customers(${id})`, { displayName: 'Once' });
    await desk.books.patch(`customers(${id})`, { displayName: 'Twice' });
    const closesAt = new Date(bench.jar.clock.now().getTime() + 30_000).toISOString();
    const rules = async () => (await desk.changes(id)).map(({ subscriptions }) => subscriptions[0].rule);
    expect(await rules()).toEqual(['coalesced', 'entry', 'entry']);
    expect((await desk.changes(id))[0].subscriptions).toMatchObject([
      { subscription, state: 'waiting', window: { closesAt } },
    ]);
    expect(await desk.windows()).toMatchObject([
      { state: 'open', closesAt, subscriptions: [{ subscription, entries: 2, isCollection: false, hasDelete: false }] },
    ]);

    await bench.jar.inbox('explained').failTimes(1);
    await advance('30s');
    expect((await desk.changes(id))[0].subscriptions).toMatchObject([
      { state: 'sending', window: { closedAt: closesAt }, delivery: { state: 'queued', attempts: 1, lastStatus: 503 } },
    ]);
    await advance('60s');
    expect((await desk.changes(id))[0].subscriptions).toMatchObject([
      { state: 'notified', delivery: { state: 'delivered', attempts: 2, lastStatus: 200 } },
    ]);
    expect(await desk.windows()).toEqual([]);
  });

  it('name the reason for which a subscription ended before it was notified', async () => {
    const deleted = await desk.hooks.make('customers', 'ended');
    const { id } = await desk.books.make('customers', { displayName: 'Untold' });
    await desk.hooks.remove(deleted.subscriptionId);
    await advance('30s');
    expect((await desk.changes(id))[0].subscriptions).toMatchObject([
      { state: 'not notified', rule: 'subscription-removed', reason: expect.stringContaining('(deleted)') },
    ]);
    await desk.hooks.make('customers', 'ended');
    await bench.jar.inbox('ended').respond({ status: 410 });
    await desk.books.patch(`customers(${id})`, { displayName: 'Refused' });
    await advance('30s');
    expect((await desk.changes(id))[0].subscriptions).toMatchObject([
      {
        state: 'not notified',
        rule: 'subscription-removed',
        reason: expect.stringContaining('answered 410'),
        delivery: { state: 'dropped', attempts: 1, lastStatus: 410 },
      },
    ]);
  });

  it('are paged, the newest first, and filtered by company, entity and record', async () => {
    const made = [];
    for (const displayName of ['A', 'B', 'C']) made.push((await desk.books.make('vendors', { displayName })).id);
    const page = await control(bench, 'GET', 'business/changes?entity=vendors&$top=2');
    const ids = ({ body }: typeof page) => body.value.map(({ recordId }: { recordId: string }) => recordId);
    expect(ids(page)).toEqual([made[2], made[1]]);
    const next = page.body.nextLink.replace(/^.*\/_jar\//, '');
    expect(ids(await control(bench, 'GET', next))[0]).toBe(made[0]);
    expect(ids(await control(bench, 'GET', `business/changes?company=${desk.books.id}&entity=vendor&$top=1`))).toEqual([
      made[2],
    ]);
    expect(ids(await control(bench, 'GET', 'business/changes?company=nowhere'))).toEqual([]);
    expectStatus(await control(bench, 'GET', `${next.replace(/skiptoken=.*/, 'skiptoken=abc')}`), 400);
  });

  it.each(['nothing', 'nothing.0', '..', 'a.-1'])('a change %s is unknown', async (id) => {
    expectStatus(await control(bench, 'GET', `business/changes/${encodeURIComponent(id)}`), 404);
  });
});
