import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from './benches.ts';
import { type Books, openBooks } from './support.ts';

interface Told {
  readonly resource: string;
  readonly changeType: string;
  readonly clientState: string;
}

onBothStores('a shop and its books', (bench) => {
  let books: Books;
  beforeEach(async () => {
    books ??= await openBooks(bench);
  });

  it('sells, posts, is paid, and notifies the web shop in time', async () => {
    const { jar } = bench;
    const shop = jar.inbox('shop');
    const control = (path: string) => bench.call('GET', `/_jar/business/${path}`, { token: jar.adminKey });
    const tell = async (): Promise<Told[]> => {
      await jar.clock.advance('30s');
      const told = (await shop.requests()).filter(({ handshake }) => handshake === null);
      await shop.clear();
      return told.flatMap((request) => request.json().value);
    };

    // The shop first lists what can be subscribed to, then subscribes to two sets at one address.
    const listed = await bench.call(
      'GET',
      `/api/vendor/runtime/beta/companies(${books.id})/webhookSupportedResources?$filter=resource eq 'v2.0*'`,
    );
    expect(listed.body.value).toContainEqual({ resource: 'v2.0/salesInvoices' });
    const subscribe = (set: string, clientState: string) =>
      bench.call('POST', '/api/v2.0/subscriptions', {
        body: { notificationUrl: shop.httpsUrl, resource: `${books.path}/${set}`, clientState },
      });
    const customers = await subscribe('customers', 'of customers');
    const invoices = await subscribe('salesInvoices', 'of invoices');
    expect([customers.status, invoices.status]).toEqual([201, 201]);

    // One batch creates a customer and an invoice with its lines.
    const item = (await books.get('items?$filter=unitPrice gt 0 and blocked eq false&$top=1')).body.value[0];
    const batch = await bench.call('POST', '/api/v2.0/$batch', {
      headers: { accept: 'application/json', isolation: 'snapshot' },
      body: {
        requests: [
          {
            id: 'customer',
            method: 'POST',
            url: `companies(${books.id})/customers`,
            headers: { 'content-type': 'application/json' },
            body: { displayName: 'Kiosk by the Lake' },
          },
        ],
      },
    });
    const customer = batch.body.responses[0].body;
    const draft = await books.make('salesInvoices?$expand=salesInvoiceLines', {
      customerId: customer.id,
      salesInvoiceLines: [{ itemId: item.id, quantity: 3 }],
    });
    expect(draft.status).toBe('Draft');
    expect(draft.totalAmountExcludingTax).toBeCloseTo(3 * item.unitPrice, 2);

    // Half a minute later the shop is notified: one message for both subscriptions.
    const first = await tell();
    expect(first.map(({ clientState, changeType }) => `${changeType} ${clientState}`).sort()).toEqual([
      'created of customers',
      'created of invoices',
      // The line was inserted later and changed the invoice's totals.
      'updated of invoices',
    ]);
    const resource = first.find(({ clientState }) => clientState === 'of customers')?.resource ?? '';
    expect((await bench.call('GET', resource)).body.displayName).toBe('Kiosk by the Lake');

    // After posting, the ledger has balanced entries, and the customer has a balance.
    expect((await books.post(`salesInvoices(${draft.id})/Microsoft.NAV.post`, undefined)).status).toBe(204);
    const posted = (await books.get(`salesInvoices(${draft.id})`)).body;
    expect(posted).toMatchObject({ status: 'Open', remainingAmount: posted.totalAmountIncludingTax });
    const entries = (await books.get(`generalLedgerEntries?$filter=documentNumber eq '${posted.number}'`)).body.value;
    const sum = (side: 'debitAmount' | 'creditAmount'): number =>
      entries.reduce((total: number, entry: Record<string, number>) => total + (entry[side] ?? 0), 0);
    expect(entries.length).toBeGreaterThanOrEqual(2);
    expect(sum('debitAmount')).toBeCloseTo(sum('creditAmount'), 2);
    expect((await books.get(`customers(${customer.id})`)).body.balanceDue).toBe(posted.totalAmountIncludingTax);
    expect((await tell()).map(({ changeType, clientState }) => [changeType, clientState])).toEqual([
      ['updated', 'of invoices'],
    ]);

    // The shop is down for a while: its notifications are retried.
    await shop.failTimes(2, 503);
    await books.patch(`customers(${customer.id})`, { city: 'Lindau' });
    await jar.clock.advance('30s');
    const [late] = (await control(`changes?entity=customer&id=${customer.id}`)).body.value;
    expect(JSON.stringify(late)).toContain(customers.body.subscriptionId);
    await jar.clock.advance('2m');
    const attempts = (await shop.requests()).map(({ answered }) => answered.status);
    expect(attempts).toEqual([503, 503, 200]);
    await shop.clear();

    // The shop's address is gone: the first refusal removes both subscriptions, and the record says why.
    await shop.respond({ status: 410 });
    await books.patch(`customers(${customer.id})`, { city: 'Bregenz' });
    await jar.clock.advance('30s');
    expect((await bench.call('GET', '/api/v2.0/subscriptions')).body.value).toEqual([]);
    const removed = (await control('subscriptions/removed')).body.value;
    expect(removed).toHaveLength(2);
    for (const removal of removed)
      expect(removal).toMatchObject({ reason: 'refused', detail: expect.stringContaining('410') });
  });
});
