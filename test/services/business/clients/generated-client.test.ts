import { FetchClient } from '@odata2ts/http-client-fetch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withJar } from '../benches.ts';
import { type GeneratedClient, generateClient } from './generated-client.ts';

/** The generated client is known only at run time. */
// biome-ignore lint/suspicious/noExplicitAny: see above
type Generated = any;

describe.each(['v1.0', 'v2.0'])('a client that a tool generates from the metadata of %s', (version) => {
  withJar((bench) => {
    let generated: GeneratedClient;
    let http: FetchClient;
    let books: Generated;
    let company: Generated;

    beforeAll(async () => {
      const metadata = await bench.call('GET', `/api/${version}/$metadata`);
      generated = await generateClient(metadata.text);
      const { booksService } = await import(generated.module);
      const headers = { authorization: `Bearer ${await bench.jar.token()}` };
      http = new FetchClient({ headers });
      books = new booksService(http, `${bench.jar.httpsUrl}/api/${version}`);
      const { data } = await books.companies().query();
      company = books.companies(data.value[0].id);
    });
    afterAll(() => generated?.remove());

    it('makes, reads, changes and deletes a record', async () => {
      const customers = company.customers();
      const made = await customers.create({ displayName: 'Generated Ltd', email: 'office@generated.example' });
      expect(made.status).toBe(201);
      const { id, number } = made.data;
      const headers = { 'If-Match': made.data['@odata.etag'] };
      const changed = await company.customers(id).patch({ displayName: 'Generated GmbH' }, { headers });
      expect([changed.status, changed.data.displayName]).toEqual([200, 'Generated GmbH']);
      const found = await customers.query((builder: Generated, customer: Generated) =>
        builder.select('id', 'number', 'displayName').filter(customer.number.eq(number)).count(),
      );
      expect(found.data).toMatchObject({ '@odata.count': 1, value: [{ id, number, displayName: 'Generated GmbH' }] });
      expect((await company.customers(id).delete()).status).toBe(204);
      await expect(company.customers(id).query()).rejects.toMatchObject({ status: 404 });
    });

    it('reads a list page by page', async () => {
      const whole = (await company.customers().query()).data.value;
      const seen: unknown[] = [];
      let page = await company
        .customers()
        .query((builder: Generated) => builder.select('id'), { headers: { Prefer: 'odata.maxpagesize=7' } });
      for (;;) {
        seen.push(...page.data.value.map(({ id }: { id: string }) => id));
        const next = page.data['@odata.nextLink'];
        if (next === undefined) break;
        page = await http.get<Generated>(next, { headers: { Prefer: 'odata.maxpagesize=7' } });
      }
      expect(whole.length).toBeGreaterThan(7);
      expect(seen).toEqual(whole.map(({ id }: { id: string }) => id));
    });

    it('expands what belongs to a record', async () => {
      const customer = (await company.customers().create({ displayName: 'Expanded' })).data;
      const made = await company.salesOrders().create({ customerId: customer.id });
      const item = (await company.items().create({ displayName: 'Thing', unitPrice: 7 })).data;
      await company.salesOrders(made.data.id).salesOrderLines().create({ itemId: item.id, quantity: 2 });
      const { data } = await company
        .salesOrders(made.data.id)
        .query((builder: Generated) => builder.expand('customer', 'salesOrderLines'));
      expect([data.customer].flat()[0].displayName).toBe('Expanded');
      expect(data.salesOrderLines).toHaveLength(1);
    });
  });
});
