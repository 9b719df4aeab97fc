import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../benches.ts';
import { type Books, errorOf, openBooks } from '../support.ts';

type Line = { id: string; sequence: number; description: string; quantity: number };

onAnyStore('what belongs together', (bench) => {
  let books: Books;
  let customer: { id: string; number: string; displayName: string };
  let item: { id: string; number: string };
  beforeEach(async () => {
    if (books) return;
    books = await openBooks(bench);
    const currency = await books.make('currencies', { code: 'REL', displayName: 'Relation' });
    customer = await books.make('customers', { displayName: 'Related', currencyId: currency.id });
    item = await books.make('items', { displayName: 'Rope', unitPrice: 10 });
  });

  const order = (lines: unknown[]) => ({ customerId: customer.id, salesOrderLines: lines });

  it('is created by one request, completely', async () => {
    const made = await books.post(
      'salesOrders',
      order([
        { itemId: item.id, quantity: 2 },
        { itemId: item.id, quantity: 3 },
      ]),
    );
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ customerNumber: customer.number, customerName: 'Related' });
    expect(made.body.salesOrderLines).toBeUndefined();
    const lines = await books.get(`salesOrders(${made.body.id})/salesOrderLines`);
    expect(lines.body.value.map(({ sequence, quantity }: Line) => [sequence, quantity])).toEqual([
      [10000, 2],
      [20000, 3],
    ]);
    const asked = await books.post('salesOrders?$expand=salesOrderLines', order([{ itemId: item.id, quantity: 1 }]));
    expect(asked.body.salesOrderLines).toHaveLength(1);
  });

  it('is not created at all if one part of it is invalid', async () => {
    const before = (await books.get('salesOrders/$count')).text;
    const reply = await books.post('salesOrders', order([{ itemId: item.id, quantity: 2 }, { itemId: books.id }]));
    expect(errorOf(reply)).toMatchObject({ status: 400, code: 'Internal_InvalidTableRelation' });
    expect((await books.get('salesOrders/$count')).text).toBe(before);
    expect(errorOf(await books.post('salesOrders', order([{ nonsense: 1 }])))).toMatchObject({ code: 'BadRequest' });
    expect(errorOf(await books.post('salesOrders', { customerId: customer.id, salesOrderLines: {} }))).toMatchObject({
      code: 'BadRequest',
    });
    expect(
      errorOf(await books.post('salesOrders', { customerId: customer.id, customer: { displayName: 'x' } })),
    ).toMatchObject({ code: 'BadRequest_InvalidOperation' });
  });

  it('is shown at any depth, each part as it is asked for', async () => {
    const made = await books.make('salesOrders', order([1, 2, 3].map((quantity) => ({ itemId: item.id, quantity }))));
    const query =
      '$select=number&$expand=customer($select=displayName;$expand=currency($select=code)), ' +
      'salesOrderLines($filter=quantity gt 1;$orderby=sequence desc;$top=1;$select=quantity;$count=true;$expand=item($select=number))';
    const reply = await books.get(`salesOrders(${made.id})?${query}`);
    const etag = expect.any(String);
    expect(reply.body).toEqual({
      '@odata.context': expect.stringContaining('/salesOrders(number)/$entity'),
      '@odata.etag': etag,
      number: made.number,
      customer: { '@odata.etag': etag, displayName: 'Related', currency: { '@odata.etag': etag, code: 'REL' } },
      'salesOrderLines@odata.count': 2,
      salesOrderLines: [{ '@odata.etag': etag, quantity: 3, item: { '@odata.etag': etag, number: item.number } }],
    });
    const list = await books.get(`salesOrders?$filter=number eq '${made.number}'&$expand=salesOrderLines`);
    expect(list.body.value[0].salesOrderLines).toHaveLength(3);
  });

  it('is reached step by step', async () => {
    const made = await books.make('salesOrders', order([{ itemId: item.id, quantity: 4 }]));
    const at = `salesOrders(${made.id})`;
    const [line] = (await books.get(`${at}/salesOrderLines`)).body.value;
    expect((await books.get(`${at}/salesOrderLines(${line.id})/item`)).body.id).toBe(item.id);
    expect((await books.get(`${at}/customer/currency`)).body.code).toBe('REL');
    expect((await books.get(`${at}/customer/displayName`)).body).toMatchObject({ value: 'Related' });
    expect((await books.get(`${at}/customer/displayName/$value`)).text).toBe('Related');
    expect((await books.get(`${at}/salesOrderLines/$count`)).text).toBe('1');
    expect((await books.get(`${at}/paymentTerm`)).status).toBe(204);
    expect((await books.get(`${at}/paymentTerm/code`)).status).toBe(404);
    expect((await books.get(`salesOrders(${books.id})/salesOrderLines`)).status).toBe(404);
    const another = await books.make('salesOrders', order([]));
    expect((await books.get(`salesOrders(${another.id})/salesOrderLines(${line.id})`)).status).toBe(404);
  });

  it('grows and shrinks by its lines, which change what they are part of', async () => {
    const made = await books.make('salesOrders', order([]));
    const at = `salesOrders(${made.id})`;
    const below = await books.post(`${at}/salesOrderLines`, { itemId: item.id, quantity: 1 });
    const beside = await books.post('salesOrderLines', { documentId: made.id, itemId: item.id, quantity: 1 });
    expect([below.status, beside.status]).toEqual([201, 201]);
    expect(below.body.documentId).toBe(made.id);
    const grown = (await books.get(at)).body;
    expect(grown['@odata.etag']).not.toBe(made['@odata.etag']);
    expect(grown.totalAmountExcludingTax).toBe(20);
    expect((await books.patch(`salesOrderLines(${below.body.id})`, { quantity: 5 })).status).toBe(200);
    expect((await books.get(at)).body.totalAmountExcludingTax).toBe(60);
    expect((await books.delete(`${at}/salesOrderLines(${below.body.id})`)).status).toBe(204);
    expect((await books.get(at)).body.totalAmountExcludingTax).toBe(10);
    await books.delete(at);
    expect((await books.get(`salesOrderLines(${beside.body.id})`)).status).toBe(404);
    expect(errorOf(await books.post('salesOrderLines', { documentId: made.id, itemId: item.id }))).toMatchObject({
      status: 400,
      code: 'Internal_InvalidTableRelation',
    });
  });

  it('is shown with a company, however far down', async () => {
    const made = await books.make('salesOrders', order([{ itemId: item.id, quantity: 1 }]));
    const inner = `salesOrders($filter=number eq '${made.number}';$expand=customer($select=displayName),salesOrderLines)`;
    const { body } = await bench.call('GET', `/api/v2.0/companies?$expand=${inner},companyInformation`);
    const [company] = body.value;
    expect(company.salesOrders).toMatchObject([{ id: made.id, customer: { displayName: 'Related' } }]);
    expect(company.salesOrders[0].salesOrderLines).toHaveLength(1);
    expect([company.companyInformation].flat()).toHaveLength(1);
  });

  it('is part of a record in v1.0 where it is a value there', async () => {
    const older = await openBooks(bench, 'v1.0');
    const journal = await older.make('journals', { code: 'EMBED', displayName: 'Embedding' });
    const line = await older.make(`journals(${journal.id})/journalLines`, { description: 'A line' });
    expect(line.dimensions).toEqual([]);
    const [expanded] = (await older.get(`journals(${journal.id})?$expand=journalLines`)).body.journalLines;
    expect(expanded.dimensions).toEqual([]);
    const chosen = await older.get(`journalLines(${line.id})?$select=dimensions`);
    expect(chosen.body).toMatchObject({ dimensions: [] });
  });
});
