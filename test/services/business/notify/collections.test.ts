import { afterEach, beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../benches.ts';
import { control } from '../webhooks/support.ts';
import { type Desk, expectStatus, openDesk, short } from './support.ts';

const SHARE = 100;

onAnyStore('collection notifications', (bench) => {
  let desk: Desk;
  beforeEach(async () => {
    desk ??= await openDesk(bench);
  });
  afterEach(async () => {
    await set({ OnGetMaxNumberOfNotifications: null, ApiSubscriptionMaxNumberOfNotifications: null });
    await desk.clear();
  });
  const advance = (by: string) => bench.jar.clock.advance(by);
  const set = async (settings: object) =>
    expectStatus(await control(bench, 'PATCH', 'business/settings', settings), 200);

  /** Creates many records in batches. */
  const makeMany = async (entitySet: string, count: number): Promise<void> => {
    for (let made = 0; made < count; made += SHARE) {
      const requests = Array.from({ length: Math.min(SHARE, count - made) }, (_, i) => ({
        id: String(i),
        method: 'POST',
        url: `companies(${desk.books.id})/${entitySet}`,
        headers: { 'Content-Type': 'application/json' },
        body: { displayName: `No. ${made + i}` },
      }));
      const headers = { accept: 'application/json' };
      const reply = await bench.call('POST', '/api/v2.0/$batch', { body: { requests }, headers });
      const statuses: number[] = expectStatus(reply, 200).body.responses.map((each: { status: number }) => each.status);
      expect(statuses).toEqual(requests.map(() => 201));
    }
  };

  it('replace more than 1,000 entries; 1,000 are notified singly', { timeout: 600_000 }, async () => {
    // Subscribed one change apart, so that the same records make 1,001 entries for one subscription and 1,000 for the other.
    await desk.hooks.make('customers', 'more-than-thousand');
    const began = bench.jar.clock.now();
    await makeMany('customers', 1);
    await desk.hooks.make('customers', 'thousand');
    await makeMany('customers', 1000);
    await advance('30s');
    // The inbox keeps only the beginning of the larger body; the delivery records its size.
    const [request] = (await bench.jar.inbox('thousand').requests()).filter(({ handshake }) => handshake === null);
    expect(request?.bodyBytes).toBeGreaterThan(1000 * 200);
    expect(request?.body.match(/"changeType":"created"/g)?.length).toBeGreaterThan(500);

    const entries = (await bench.jar.inbox('more-than-thousand').requests()).at(-1)?.json().value;
    const since = new Date(began.getTime() - 50).toISOString();
    expect(entries).toMatchObject([
      {
        changeType: 'collection',
        resource: `${desk.hooks.resource('customers')}?$filter=lastModifiedDateTime%20gt%20${since}`,
        lastModifiedDateTime: began.toISOString(),
      },
    ]);
    const listed = await desk.books.get(`${entries[0].resource}&$count=true&$top=1`);
    expect(expectStatus(listed, 200).body['@odata.count']).toBe(1001);
  });

  it('include later changes, and have no filter once they include a delete', async () => {
    await set({ OnGetMaxNumberOfNotifications: 2 });
    await desk.hooks.make('customers', 'deletes');
    const made = [];
    for (const displayName of ['A', 'B', 'C', 'D']) made.push(await desk.books.make('customers', { displayName }));
    await desk.books.patch(`customers(${made[0].id})`, { displayName: 'E' });
    expect(await desk.windows()).toMatchObject([
      { state: 'open', subscriptions: [{ isCollection: true, hasDelete: false }] },
    ]);
    await desk.books.delete(`customers(${made[1].id})`);
    await advance('30s');
    const entries = await desk.entries('deletes');
    expect(entries.map(({ changeType, resource }) => [changeType, resource])).toEqual([
      ['collection', desk.hooks.resource('customers')],
    ]);
    const [change] = await desk.changes(made[0].id);
    expect(change.subscriptions).toMatchObject([{ state: 'notified', rule: 'collection' }]);
  });

  it('count entries; a record that is created and updated has two', async () => {
    await set({ OnGetMaxNumberOfNotifications: 2 });
    await desk.hooks.make('customers', 'entries');
    const { id } = await desk.books.make('customers', { displayName: 'A' });
    await desk.books.patch(`customers(${id})`, { displayName: 'B' });
    await desk.books.patch(`customers(${id})`, { displayName: 'C' });
    await advance('30s');
    expect((await desk.entries('entries')).map(short)).toEqual([
      `created customers(${id})`,
      `updated customers(${id})`,
    ]);
    await desk.books.make('customers', { displayName: 'D' });
    await desk.books.patch(`customers(${id})`, { displayName: 'E' });
    await desk.books.delete(`customers(${id})`);
    await advance('30s');
    expect((await desk.entries('entries')).slice(2).map(({ changeType }) => changeType)).toEqual(['collection']);
  });

  it('are per subscription if the hook sets the number', async () => {
    await set({ OnGetMaxNumberOfNotifications: [{ resource: 'customers', value: 1 }] });
    await desk.hooks.make('customers', 'hooked');
    await desk.hooks.make('vendors', 'hooked');
    for (const displayName of ['A', 'B']) {
      await desk.books.make('customers', { displayName });
      await desk.books.make('vendors', { displayName });
    }
    await advance('30s');
    const [body = []] = await desk.bodies('hooked');
    expect(body.map(({ changeType }) => changeType).sort()).toEqual(['collection', 'created', 'created']);
  });

  it('are per address if the server setting sets the number', async () => {
    await set({ ApiSubscriptionMaxNumberOfNotifications: 3 });
    await desk.hooks.make('customers', 'addressed');
    await desk.hooks.make('vendors', 'addressed');
    await desk.hooks.make('vendors', 'addressed-elsewhere');
    for (const displayName of ['A', 'B']) {
      await desk.books.make('customers', { displayName });
      await desk.books.make('vendors', { displayName });
    }
    await advance('30s');
    const kinds = async (inbox: string) => (await desk.entries(inbox)).map(({ changeType }) => changeType);
    expect(await kinds('addressed')).toEqual(['collection', 'collection']);
    expect(await kinds('addressed-elsewhere')).toEqual(['created', 'created']);
  });

  it('are per subscription if the hook sets the same number as the server setting', async () => {
    await set({ ApiSubscriptionMaxNumberOfNotifications: 3, OnGetMaxNumberOfNotifications: 3 });
    await desk.hooks.make('customers', 'same-number');
    await desk.hooks.make('vendors', 'same-number');
    for (const displayName of ['A', 'B', 'C']) {
      await desk.books.make('customers', { displayName });
      await desk.books.make('vendors', { displayName });
    }
    await advance('30s');
    expect(new Set((await desk.entries('same-number')).map(({ changeType }) => changeType))).toEqual(
      new Set(['created']),
    );
  });

  it.each(['OnGetMaxNumberOfNotifications', 'ApiSubscriptionMaxNumberOfNotifications'])(
    'come by the number that %s says when they are sent',
    async (setting) => {
      const inbox = `lowered-${setting}`;
      await desk.hooks.make('customers', inbox);
      for (const displayName of ['A', 'B', 'C']) await desk.books.make('customers', { displayName });
      await set({ [setting]: 2 });
      await advance('30s');
      expect((await desk.entries(inbox)).map(({ changeType }) => changeType)).toEqual(['collection']);
    },
  );

  it('have the time of the newest change, and a filter that finds all of them', async () => {
    await set({ OnGetMaxNumberOfNotifications: 2 });
    await desk.hooks.make('customers', 'found');
    const made: string[] = [];
    for (const displayName of ['A', 'B', 'C', 'D']) {
      made.push((await desk.books.make('customers', { displayName })).id);
      await advance('5s');
    }
    const newest = bench.jar.clock.now().getTime() - 5000;
    await advance('30s');
    const [entry] = await desk.entries('found');
    expect(Date.parse(entry?.lastModifiedDateTime ?? '')).toBe(newest);
    const found = expectStatus(await bench.call('GET', entry?.resource ?? ''), 200).body.value;
    expect(found.map(({ id }: { id: string }) => id).sort()).toEqual(made.sort());
  });

  it('do not trigger flows, and the trace says so', async () => {
    await set({ OnGetMaxNumberOfNotifications: 1 });
    const { subscriptionId } = await desk.hooks.make('customers', 'flow');
    await desk.hooks.make('customers', 'no-flow');
    expectStatus(await control(bench, 'PATCH', `business/subscriptions/${subscriptionId}`, { flow: true }), 200);
    const { id } = await desk.books.make('customers', { displayName: 'A' });
    await advance('30s');
    expect((await desk.entries('flow')).map(short)).toEqual([`created customers(${id})`]);
    const many = [];
    for (const displayName of ['B', 'C']) many.push(await desk.books.make('customers', { displayName }));
    await advance('30s');
    expect(await desk.bodies('flow')).toHaveLength(1);
    expect((await desk.entries('no-flow')).map(({ changeType }) => changeType)).toEqual(['created', 'collection']);
    const [change] = await desk.changes(many[0].id);
    const flow = change.subscriptions.find(
      ({ subscription }: { subscription: string }) => subscription === subscriptionId,
    );
    expect(flow).toMatchObject({ state: 'not notified', rule: 'left-out' });
    expect(flow.reason).toContain('flow is not triggered');
  });
});
