import { afterEach, beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../benches.ts';
import { type Desk, expectStatus, openDesk, short } from './support.ts';

onBothStores('notifications of changes', (bench) => {
  let desk: Desk;
  beforeEach(async () => {
    desk ??= await openDesk(bench);
  });
  afterEach(() => desk.clear());
  const { advance } = { advance: (by: string) => bench.jar.clock.advance(by) };

  it('are sent 30 seconds after the first change, and not before', async () => {
    const { books, hooks } = desk;
    const subscription = await hooks.make('customers', 'delay', { clientState: 'shared secret' });
    const customer = await books.make('customers', { displayName: 'Coho Winery' });
    const at = bench.jar.clock.now().toISOString();
    await advance('29999ms');
    expect(await desk.bodies('delay')).toEqual([]);
    await advance('1ms');
    const [body, ...others] = await desk.bodies('delay');
    expect(others).toEqual([]);
    expect(body).toEqual([
      {
        subscriptionId: subscription.subscriptionId,
        clientState: 'shared secret',
        expirationDateTime: subscription.expirationDateTime,
        resource: `${hooks.resource('customers')}(${customer.id})`,
        changeType: 'created',
        lastModifiedDateTime: at,
      },
    ]);
  });

  it('are JSON without a byte order mark, their members in the order of the real service', async () => {
    await desk.hooks.make('customers', 'wire');
    await desk.books.make('customers', { displayName: 'Wide World' });
    await advance('30s');
    const request = await bench.jar.inbox('wire').next();
    expect(request.method).toBe('POST');
    expect(request.headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' });
    expect(request.body.startsWith('{"value":[{"subscriptionId":')).toBe(true);
    expect(Object.keys(request.json().value[0])).toEqual([
      'subscriptionId',
      'clientState',
      'expirationDateTime',
      'resource',
      'changeType',
      'lastModifiedDateTime',
    ]);
  });

  it('make one entry of repeated updates, with the newest time, and leave created and deleted their own', async () => {
    const { books, hooks } = desk;
    await hooks.make('customers', 'coalesce');
    const { id } = await books.make('customers', { displayName: 'One' });
    await advance('5s');
    await books.patch(`customers(${id})`, { displayName: 'Two' });
    await advance('5s');
    await books.patch(`customers(${id})`, { displayName: 'Three' });
    const last = bench.jar.clock.now().toISOString();
    await advance('20s');
    const [body = [], ...others] = await desk.bodies('coalesce');
    expect(others).toEqual([]);
    expect(body.map(short)).toEqual([`created customers(${id})`, `updated customers(${id})`]);
    expect(body[1]?.lastModifiedDateTime).toBe(last);
    await books.patch(`customers(${id})`, { displayName: 'Four' });
    expectStatus(await books.delete(`customers(${id})`), 204);
    await advance('30s');
    expect((await desk.bodies('coalesce'))[1]?.map(short)).toEqual([
      `updated customers(${id})`,
      `deleted customers(${id})`,
    ]);
  });

  it('go into a new window once the former has closed', async () => {
    const { books, hooks } = desk;
    await hooks.make('customers', 'next');
    await books.make('customers', { displayName: 'First' });
    await advance('30s');
    await books.make('customers', { displayName: 'Second' });
    await advance('29s');
    expect(await desk.bodies('next')).toHaveLength(1);
    await advance('1s');
    expect(await desk.bodies('next')).toHaveLength(2);
  });

  it('of several subscriptions to one address are one message', async () => {
    const { books, hooks } = desk;
    const one = await hooks.make('customers', 'together', { clientState: 'one' });
    const two = await hooks.make('customers', 'together', { clientState: 'two' });
    const three = await hooks.make('vendors', 'together');
    await hooks.make('vendors', 'apart');
    await books.make('customers', { displayName: 'Fabrikam' });
    await advance('10s');
    await books.make('vendors', { displayName: 'Contoso' });
    await advance('20s');
    const [body = [], ...others] = await desk.bodies('together');
    expect(others).toEqual([]);
    const told = body.map(({ subscriptionId, clientState }) => [subscriptionId, clientState]);
    expect(new Set(told.map(String))).toEqual(
      new Set([`${one.subscriptionId},one`, `${two.subscriptionId},two`, `${three.subscriptionId},`]),
    );
    expect(await desk.bodies('apart')).toEqual([]);
    await advance('10s');
    expect((await desk.entries('apart')).map(({ changeType }) => changeType)).toEqual(['created']);
  });

  it('report a change of a line as an update of its document', async () => {
    const { books, hooks } = desk;
    const customer = await books.make('customers', { displayName: 'Adatum' });
    const invoice = await books.make('salesInvoices', { customerId: customer.id });
    const item = (await books.get('items?$top=1')).body.value[0];
    await hooks.make('salesInvoices', 'lines');
    const line = await books.make(`salesInvoices(${invoice.id})/salesInvoiceLines`, {
      itemId: item.id,
      lineType: 'Item',
      quantity: 2,
    });
    await advance('30s');
    expect((await desk.entries('lines')).map(short)).toEqual([`updated salesInvoices(${invoice.id})`]);
    await books.patch(`salesInvoices(${invoice.id})/salesInvoiceLines(${line.id})`, { quantity: 3 });
    await advance('30s');
    await books.delete(`salesInvoices(${invoice.id})/salesInvoiceLines(${line.id})`);
    await advance('30s');
    expect((await desk.entries('lines')).map(({ changeType }) => changeType)).toEqual([
      'updated',
      'updated',
      'updated',
    ]);
  });

  it('name resources as they were registered, with or without a slash, in either version', async () => {
    const { books, hooks } = desk;
    const bare = `api/v1.0/companies(${books.id})/customers`;
    await hooks.make('customers', 'slash');
    expectStatus(await hooks.subscribe({ notificationUrl: hooks.inbox('slash'), resource: bare }), 201);
    const { id } = await books.make('customers', { displayName: 'Proseware' });
    await advance('30s');
    const named = (await desk.entries('slash')).map(({ resource }) => resource);
    expect(new Set(named)).toEqual(new Set([`${hooks.resource('customers')}(${id})`, `${bare}(${id})`]));
  });

  it('exclude changes before the subscription, of other tables, and without a difference', async () => {
    const { books, hooks } = desk;
    await books.make('customers', { displayName: 'Earlier' });
    await hooks.make('customers', 'nothing');
    await books.make('vendors', { displayName: 'Another table' });
    expectStatus(await books.post('customers', { displayName: 1 }), 400);
    await advance('36h');
    expect(await desk.bodies('nothing')).toEqual([]);
  });

  it('neither miss nor duplicate concurrent changes', async () => {
    const { books, hooks } = desk;
    const known = await books.make('customers', { displayName: 'Known' });
    await hooks.make('customers', 'at-once');
    await hooks.make('customers', 'at-once-too');
    const changes = Array.from({ length: 40 }, (_, i) =>
      i % 2 === 0
        ? books.make('customers', { displayName: `No. ${i}` })
        : books
            .patch(`customers(${known.id})`, { displayName: `Change ${i}` })
            .then((reply) => expectStatus(reply, 200)),
    );
    const made = (await Promise.all(changes)).filter((_, i) => i % 2 === 0);
    await advance('30s');
    const expected = [...made.map(({ id }) => `created customers(${id})`), `updated customers(${known.id})`].sort();
    for (const inbox of ['at-once', 'at-once-too']) {
      const bodies = await desk.bodies(inbox);
      expect(bodies).toHaveLength(1);
      expect(bodies.flat().map(short).sort()).toEqual(expected);
    }
  });

  it('of another tenant are never sent', async () => {
    await desk.hooks.make('customers', 'own-tenant');
    const other = await desk.as('other');
    await other.make('customers', { displayName: 'Theirs' });
    await advance('30s');
    expect(await desk.bodies('own-tenant')).toEqual([]);
  });

  it('have the delay of the setting, which the hook overrides', async () => {
    const { books, hooks } = desk;
    const change = (body: object) =>
      bench.call('PATCH', '/_jar/business/settings', {
        token: bench.jar.adminKey,
        body,
      });
    expectStatus(await change({ ApiSubscriptionDelayTime: 5000 }), 200);
    await hooks.make('customers', 'set');
    await books.make('customers', { displayName: 'Quick' });
    await advance('5s');
    expect(await desk.bodies('set')).toHaveLength(1);
    expectStatus(await change({ OnGetDelayTime: 1000 }), 200);
    await books.make('customers', { displayName: 'Quicker' });
    await advance('1s');
    expect(await desk.bodies('set')).toHaveLength(2);
    expectStatus(await change({ ApiSubscriptionDelayTime: null, OnGetDelayTime: null }), 200);
  });
});
