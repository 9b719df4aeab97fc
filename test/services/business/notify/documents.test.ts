import { afterEach, beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../benches.ts';
import { type Desk, expectStatus, openDesk, short } from './support.ts';

const WATCHED = ['salesInvoices', 'salesOrders', 'generalLedgerEntries', 'customers', 'items', 'accounts', 'journals'];

onAnyStore('what a document has to do with is told', (bench) => {
  let desk: Desk;
  let inbox = '';
  let count = 0;
  let customerId = '';
  let itemId = '';
  beforeEach(async () => {
    desk ??= await openDesk(bench);
    inbox = `documents-${++count}`;
    customerId = (await desk.books.get('customers?$top=1')).body.value[0].id;
    itemId = (await desk.books.get('items?$top=1')).body.value[0].id;
    for (const set of WATCHED) await desk.hooks.make(set, inbox);
  });
  afterEach(() => desk.clear());
  const line = () => ({ lineType: 'Item', itemId, quantity: 1 });
  const told = async () => {
    await bench.jar.clock.advance('30s');
    const entries = (await desk.bodies(inbox)).at(-1) ?? [];
    return entries.map(short);
  };

  it('are created and, since the lines change them, updated, when they are created together with their lines', async () => {
    const { id } = await desk.books.make('salesInvoices', { customerId, salesInvoiceLines: [line(), line(), line()] });
    expect(await told()).toEqual([`created salesInvoices(${id})`, `updated salesInvoices(${id})`]);
  });

  it('as an update when lines are added, changed or removed', async () => {
    const { id } = await desk.books.make('salesOrders', { customerId });
    expect(await told()).toEqual([`created salesOrders(${id})`]);
    const own = await desk.books.make(`salesOrders(${id})/salesOrderLines`, line());
    expect(await told()).toEqual([`updated salesOrders(${id})`]);
    expectStatus(await desk.books.patch(`salesOrderLines(${own.id})`, { quantity: 2 }), 200);
    expect(await told()).toEqual([`updated salesOrders(${id})`]);
    expectStatus(await desk.books.delete(`salesOrderLines(${own.id})`), 204);
    expect(await told()).toEqual([`updated salesOrders(${id})`]);
    expectStatus(await desk.books.delete(`salesOrders(${id})`), 204);
    expect((await told()).at(-1)).toBe(`deleted salesOrders(${id})`);
  });

  it('as an update when dimensions of it or of a line are added, changed or removed, with the time of that', async () => {
    const { id } = await desk.books.make('salesOrders', { customerId });
    const own = await desk.books.make(`salesOrders(${id})/salesOrderLines`, line());
    await told();
    const dimension = (await desk.books.get('dimensions?$top=1&$expand=dimensionValues')).body.value[0];
    const [one, other] = dimension.dimensionValues;
    const body = { code: dimension.code, valueCode: one.code };
    for (const of of [`salesOrders(${id})`, `salesOrderLines(${own.id})`]) {
      const modifiedAt = async () => (await desk.books.get(`salesOrders(${id})`)).body.lastModifiedDateTime;
      const changed = async (change: () => Promise<unknown>) => {
        await bench.jar.clock.advance('1m');
        await change();
        expect(await modifiedAt()).toBe(bench.jar.clock.now().toISOString());
        expect(await told()).toEqual([`updated salesOrders(${id})`]);
      };
      const made: { id: string }[] = [];
      await changed(async () => made.push(await desk.books.make(`${of}/dimensionSetLines`, body)));
      const address = `${of}/dimensionSetLines(${made[0]?.id})`;
      await changed(async () => expectStatus(await desk.books.patch(address, { valueCode: other.code }), 200));
      await changed(async () => expectStatus(await desk.books.delete(address), 204));
    }
  });

  it('when it is posted: the document and its ledger entries, but no balance that is computed from these', async () => {
    const { id } = await desk.books.make('salesInvoices', { customerId, salesInvoiceLines: [line()] });
    await told();
    expectStatus(await desk.books.post(`salesInvoices(${id})/Microsoft.NAV.post`, {}), 204);
    const entries = await told();
    const ledger = entries.filter((each) => each.startsWith('created generalLedgerEntries('));
    expect(ledger.length).toBeGreaterThan(1);
    expect(entries.filter((each) => !ledger.includes(each))).toEqual([`updated salesInvoices(${id})`]);
  });

  it('send nothing if the change set that created them is rolled back', async () => {
    const made = { displayName: 'Rolled back' };
    const requests = [
      { id: '1', atomicityGroup: 'g', method: 'POST', url: `companies(${desk.books.id})/customers`, body: made },
      {
        id: '2',
        atomicityGroup: 'g',
        method: 'POST',
        url: `companies(${desk.books.id})/items`,
        body: { type: 'Nothing' },
      },
    ].map((each) => ({ ...each, headers: { 'content-type': 'application/json' } }));
    expectStatus(await bench.call('POST', '/api/v2.0/$batch', { body: { requests } }), 200);
    const headers = { Isolation: 'snapshot' };
    const single = requests.map(({ atomicityGroup: _group, ...each }) => each);
    await bench.call('POST', '/api/v2.0/$batch', { body: { requests: single }, headers });
    const found = await desk.books.get("customers?$filter=displayName eq 'Rolled back'");
    expect(found.body.value).toEqual([]);
    expect(await told()).toEqual([]);
  });

  it('under the path of either version, by the key that it has there', async () => {
    const resource = `/api/v1.0/companies(${desk.books.id})/generalLedgerEntries`;
    const body = { notificationUrl: desk.hooks.inbox(`${inbox}-first`), resource };
    expectStatus(await bench.call('POST', '/api/v1.0/subscriptions', { body }), 201);
    const { id } = await desk.books.make('salesInvoices', { customerId, salesInvoiceLines: [line()] });
    expectStatus(await desk.books.post(`salesInvoices(${id})/Microsoft.NAV.post`, {}), 204);
    const second = (await told()).filter((each) => each.includes('generalLedgerEntries'));
    const first = (await desk.entries(`${inbox}-first`)).map(short);
    expect(first).toHaveLength(second.length);
    for (const each of first) expect(each).toMatch(/^created generalLedgerEntries\(\d+\)$/);
    for (const each of second) expect(each).toMatch(/^created generalLedgerEntries\([0-9a-f-]{36}\)$/);
    for (const { resource } of await desk.entries(`${inbox}-first`))
      expectStatus(await bench.call('GET', resource), 200);
  });
});
