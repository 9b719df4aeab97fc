import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startJar } from '../../../../src/testing/index.ts';
import { type Bench, onBothStores } from '../../../support/jars.ts';
import { ledgerOf } from '../rules/books.ts';
import { type Books, openBooks } from '../support.ts';

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
type Rows = any[];

const cents = (rows: Rows, field: string): number => rows.reduce((sum, row) => sum + Math.round(row[field] * 100), 0);

onBothStores(
  'the sample company',
  (bench) => {
    let books: Books;
    const ledger = ledgerOf(() => books);
    beforeEach(async () => {
      books ??= await openBooks(bench);
    });

    it('is created on first use, by any number of concurrent requests', async () => {
      const token = await bench.jar.token({ user: 'other' });
      const replies = await Promise.all(
        Array.from({ length: 5 }, () => bench.call('GET', '/api/v2.0/companies', { token })),
      );
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      expect(replies[0]?.body.value).toHaveLength(1);
      expect(replies[0]?.body.value[0].id).not.toBe(books.id);
      expect(replies[0]?.body.value[0]).toMatchObject({ name: 'BRENNSEE Kitchen Supply' });
      expect(replies[0]?.body.value[0]).not.toHaveProperty('storageKey');
    });

    it.each([
      ['customers', 30],
      ['vendors', 25],
      ['items', 60],
      ['accounts', 76],
      ['employees', 12],
      ['currencies', 12],
      ['countriesRegions', 17],
      ['paymentTerms', 8],
      ['paymentMethods', 5],
      ['shipmentMethods', 6],
      ['unitsOfMeasure', 9],
      ['itemCategories', 10],
      ['dimensions', 3],
      ['journals', 3],
      ['customerPaymentJournals', 2],
      ['salesQuotes', 6],
      ['salesOrders', 7],
      ['salesInvoices', 28],
      ['salesCreditMemos', 4],
      ['purchaseInvoices', 22],
    ])('has %s', async (set, count) => {
      expect(await ledger.all(set)).toHaveLength(count);
    });

    it('has documents in every state', async () => {
      const states = async (set: string) =>
        [...new Set((await ledger.all(`${set}?$select=status`)).map(({ status }) => status))].sort();
      expect(await states('salesInvoices')).toEqual(['Canceled', 'Draft', 'Open', 'Paid']);
      expect(await states('salesQuotes')).toEqual(['Accepted', 'Draft', 'Sent']);
      expect(await states('salesCreditMemos')).toEqual(['Corrective', 'Draft', 'Open']);
      expect(await states('purchaseInvoices')).toEqual(['Draft', 'Open', 'Paid']);
    });

    it('has books that balance', async () => {
      const entries = await ledger.all('generalLedgerEntries');
      expect(entries.length).toBeGreaterThan(200);
      expect(cents(entries, 'debitAmount')).toBe(cents(entries, 'creditAmount'));
      const accounts = await ledger.all('accounts');
      for (const { id, number, netChange, accountType } of accounts) {
        if (accountType !== 'Posting') continue;
        const own = entries.filter(({ accountId }) => accountId === id);
        expect([number, Math.round(netChange * 100)]).toEqual([
          number,
          cents(own, 'debitAmount') - cents(own, 'creditAmount'),
        ]);
      }
      const netChange = (wanted: string): number =>
        Math.round(accounts.find(({ number }) => number === wanted).netChange * 100);
      expect(netChange('1310')).toBe(cents(await ledger.all('customers'), 'balanceDue'));
      expect(netChange('2310')).toBe(-cents(await ledger.all('vendors'), 'balance'));
      expect(
        netChange('1999') +
          netChange('2999') +
          netChange('3999') +
          netChange('4999') +
          netChange('5999') +
          netChange('8999'),
      ).toBe(0);
    });

    it('has a past that ends when the jar began', async () => {
      const days = (await ledger.all('generalLedgerEntries?$select=postingDate')).map(({ postingDate }) => postingDate);
      expect(days.sort()[0]).toBe('2025-11-16');
      expect(days.at(-1) < '2026-03-16').toBe(true);
      const [customer] = await ledger.all('customers?$top=1');
      expect(customer.lastModifiedDateTime).toBe('2025-11-15T09:00:00.000Z');
    });

    it('has one record about the company', async () => {
      const { body } = await books.get('companyInformation');
      expect(body.value ?? [body]).toMatchObject([
        {
          displayName: 'BRENNSEE Kitchen Supply',
          city: 'Linz',
          currencyCode: 'EUR',
          currentFiscalYearStartDate: '2026-01-01',
        },
      ]);
    });

    it('is the same after every reset, to the last id', async () => {
      const image = async (): Promise<string> => {
        const sets = ['customers', 'salesInvoices', 'generalLedgerEntries', 'salesOrders', 'dimensionValues'];
        const rows = await Promise.all(sets.map((set) => ledger.all(`${set}?$select=id`)));
        return JSON.stringify(rows.map((each) => each.map(({ id }) => id)));
      };
      const before = await image();
      await books.make('customers', { displayName: 'Passing' });
      await bench.jar.reset();
      books = await openBooks({ ...bench, call: await calling(bench) });
      expect(await image()).toBe(before);
    });
  },
  { clockStart: '2026-03-16T09:00:00Z' },
);

it('the sample company is the same in every jar that begins at the same time, to the last id', async () => {
  const image = async (): Promise<string> => {
    await using jar = await startJar({ clockStart: '2026-03-16T09:00:00Z' });
    const headers = { authorization: `Bearer ${await jar.token()}` };
    const ask = async (path: string): Promise<Rows> =>
      ((await (await fetch(`${jar.url}/api/v2.0/${path}`, { headers })).json()) as { value: Rows }).value;
    const [company] = await ask('companies');
    const rows = await Promise.all(
      ['customers', 'generalLedgerEntries', 'salesOrders'].map((set) =>
        ask(`companies(${company.id})/${set}?$select=id`),
      ),
    );
    expect(rows.map(({ length }) => length > 0)).toEqual([true, true, true]);
    return JSON.stringify(rows.map((each) => each.map(({ id }) => id)));
  };
  expect(await image()).toBe(await image());
});

/** A reset creates new keys, which invalidates old tokens. */
async function calling(bench: Bench): Promise<Bench['call']> {
  const token = await bench.jar.token({ ttl: '365d' });
  return (method, path, options = {}) => bench.call(method, path, { token, ...options });
}

describe('a seed file', () => {
  const plain = { name: 'Plain' };
  const given = {
    name: 'Given',
    displayName: 'Given by a file',
    records: {
      customers: [{ number: 'A1', displayName: 'Ann' }],
      salesInvoices: [
        {
          customerNumber: 'A1',
          salesInvoiceLines: [{ lineType: 'Account', lineObjectNumber: '4110', quantity: 1, unitPrice: 5 }],
        },
      ],
    },
  };

  it('names the companies and their content', async () => {
    await withSeed([plain, given], async (get) => {
      const { value } = (await get('companies?$orderby=name desc')).body;
      expect(value).toMatchObject([{ name: 'Plain' }, { name: 'Given', displayName: 'Given by a file' }]);
      const [first, second] = value.map(({ id }: { id: string }) => `companies(${id})`);
      const count = async (path: string): Promise<number> => Number((await get(`${path}/$count`)).text);
      expect(await count(`${first}/customers`)).toBe(0);
      expect(await count(`${first}/accounts`)).toBe(76);
      expect(await count(`${first}/generalLedgerEntries`)).toBe(0);
      expect(await count(`${second}/customers`)).toBe(1);
      const invoices = (await get(`${second}/salesInvoices`)).body.value;
      expect(invoices).toMatchObject([{ customerName: 'Ann', totalAmountIncludingTax: 5, status: 'Draft' }]);
    });
  });

  it.each([
    [[plain, plain], "name='Plain'"],
    [[{ name: 'A', records: { dragons: [{}] } }], "'dragons' is not a set of v2.0"],
    [
      [{ name: 'A', records: { customers: [{}, { colour: 'red' }] } }],
      "customers[1]: The property 'colour' does not exist",
    ],
    [
      [{ name: 'A', records: { salesInvoices: [{}] } }],
      'salesInvoices[0]: A "customerNumber" or a "customerId" must be provided',
    ],
  ])('that cannot be followed says why: %j', async (companies, message) => {
    await withSeed(companies, async (get) => {
      const reply = await get('companies');
      expect(reply.status).toBe(503);
      expect(reply.body.error.message).toContain(message);
    });
  });

  it('as the page of the entities shows it is accepted by a jar', async () => {
    const page = await readFile('docs/services/business-entities.md', 'utf8');
    const [, , example = ''] = /## The sample company([\s\S]*?)```json\n([\s\S]*?)```/.exec(page) ?? [];
    await withSeed(JSON.parse(example).business.companies, async (get) => {
      const { value } = (await get('companies?$orderby=name')).body;
      expect(value).toMatchObject([{ name: 'Main', displayName: 'Main company' }, { name: 'Test' }]);
    });
  });

  it('of another shape does not start', async () => {
    await expect(withSeed([{ title: 'A' }], async () => {})).rejects.toThrow('business.companies');
  });
});

interface Got {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any;
}

async function withSeed(
  companies: unknown,
  body: (get: (path: string) => Promise<Got>) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'business-seed-'));
  const seed = join(folder, 'seed.json');
  try {
    await writeFile(seed, JSON.stringify({ business: { companies } }));
    const jar = await startJar({ seed });
    try {
      const token = await jar.token();
      await body(async (path) => {
        const reply = await fetch(`${jar.url}/api/v2.0/${path}`, { headers: { authorization: `Bearer ${token}` } });
        const text = await reply.text();
        return { status: reply.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
      });
    } finally {
      await jar.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
