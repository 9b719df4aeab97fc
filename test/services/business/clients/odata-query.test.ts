import * as odataQuery from 'odata-query';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../benches.ts';
import { type Books, openBooks } from '../support.ts';

/** The module is CommonJS, and loaders differ in what its default export is. */
const { default: loaded } = odataQuery as unknown as { default: BuildQuery | { default: BuildQuery } };
type BuildQuery = (options: Record<string, unknown>) => string;
const buildQuery = typeof loaded === 'function' ? loaded : loaded.default;

onBothStores('queries that a library writes', (bench) => {
  let books: Books;
  beforeEach(async () => {
    if (books) return;
    books = await openBooks(bench);
    const item = await books.make('items', { displayName: 'Queried', unitPrice: 3 });
    for (const city of ['Umeå', 'Luleå', 'Kiruna']) {
      const customer = await books.make('customers', { displayName: `North ${city}`, city });
      const salesOrderLines = [
        { itemId: item.id, quantity: 1 },
        { itemId: item.id, quantity: 2 },
      ];
      await books.make('salesOrders', { customerId: customer.id, salesOrderLines });
    }
  });

  it('are understood: filter, order, selection, expansion, count', async () => {
    const query = buildQuery({
      filter: { and: [{ customerName: { startswith: 'North' } }, { totalAmountExcludingTax: { gt: 0 } }] },
      select: ['number', 'customerName'],
      orderBy: ['customerName desc'],
      top: 2,
      count: true,
      expand: { salesOrderLines: { select: ['quantity'], filter: { quantity: { ge: 2 } }, orderBy: ['sequence'] } },
    });
    const { body } = await books.get(`salesOrders${query}`);
    expect(body['@odata.count']).toBe(3);
    const shown = body.value.map((order: { customerName: string; salesOrderLines: { quantity: number }[] }) => [
      order.customerName,
      order.salesOrderLines.map(({ quantity }) => quantity),
    ]);
    expect(shown).toEqual([
      ['North Umeå', [2]],
      ['North Luleå', [2]],
    ]);
  });
});
