import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/kernel/http/errors.ts';
import { standardModel } from '../../../../src/services/business/model/model.ts';
import { BusinessTx } from '../../../../src/services/business/records/business-tx.ts';
import type { Row } from '../../../../src/services/business/records/row.ts';
import { ACTIONS } from '../../../../src/services/business/rules/index.ts';
import { sum } from '../../../../src/services/business/rules/money.ts';
import { isWithin } from '../../../../src/services/business/rules/posting/general-ledger.ts';
import { Builder } from '../../../../src/services/business/sample/builder.ts';
import { insertInitialData } from '../../../../src/services/business/sample/foundation.ts';
import { MemoryTx } from '../../../../src/services/business/sample/memory-tx.ts';

const NOW = Date.parse('2026-03-16T09:00:00Z');
const COMPANY = { id: '11111111-1111-4111-8111-111111111111', key: 'c1', name: 'Books', tenantId: 't1' };
const ACTOR = {
  tenantId: 't1',
  objectId: 'o1',
  name: 'Anybody',
  kind: 'user',
  isDelegatedAdmin: false,
  canScheduleJobs: true,
} as const;

async function newCompany(): Promise<Builder> {
  const paper = new MemoryTx();
  const open = (now: number) =>
    new BusinessTx({ tx: paper, jar: {} as never, model: standardModel, company: COMPANY, actor: ACTOR, now });
  const builder = new Builder(open, NOW, COMPANY);
  await insertInitialData(builder);
  for (const [index, currencyCode] of ['', 'GBP', 'SEK'].entries()) {
    await builder.insert('customer', { number: `C${index}`, currencyCode, taxLiable: index !== 1 });
    await builder.insert('vendor', { number: `V${index}`, currencyCode, taxLiable: index !== 1 });
  }
  for (const [index, type] of ['Inventory', 'Inventory', 'Service'].entries()) {
    await builder.insert('item', {
      number: `I${index}`,
      type,
      unitPrice: 19.99 + index,
      unitCost: 7.77,
      taxGroupCode: index === 1 ? 'REDUCED' : 'STANDARD',
    });
  }
  return builder;
}

const cents = fc.integer({ min: 1, max: 99_999 }).map((whole) => whole / 100);
const which = fc.nat({ max: 2 });
const line = fc.record({
  item: which,
  quantity: fc.oneof(fc.integer({ min: -2, max: 40 }), cents),
  price: fc.option(cents, { nil: undefined }),
  discountPercent: fc.constantFrom(0, 5, 33.333, 100),
});
const document = fc.record({
  kind: fc.constantFrom('salesQuote', 'salesOrder', 'salesInvoice', 'salesCreditMemo', 'purchaseInvoice'),
  party: which,
  discount: fc.constantFrom(0, 0.01, 7.77, 1000),
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
});
const step = fc.oneof(
  fc.record({ do: fc.constant('document' as const), document }),
  fc.record({
    do: fc.constant('act' as const),
    action: fc.constantFrom(...Object.keys(ACTIONS).filter((name) => !/Send|send|^journal/.test(name))),
    pick: fc.nat(),
  }),
  fc.record({ do: fc.constant('pay' as const), party: which, amount: cents, pick: fc.nat() }),
  fc.record({
    do: fc.constant('journal' as const),
    amounts: fc.array(cents, { minLength: 1, maxLength: 3 }),
    isOff: fc.boolean(),
  }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function perform(builder: Builder, each: Step, count: number): Promise<void> {
  const { books } = builder;
  if (each.do === 'document') {
    const { kind, party, discount, lines } = each.document;
    const isPurchase = kind === 'purchaseInvoice';
    const header = await books.insert(kind, {
      [isPurchase ? 'vendorNumber' : 'customerNumber']: `${isPurchase ? 'V' : 'C'}${party}`,
      discountAmount: discount,
      ...(isPurchase && { vendorInvoiceNumber: `R${count}` }),
    });
    for (const { item, quantity, price, discountPercent } of lines) {
      await books.insert(`${kind}Line`, {
        documentId: header.id,
        lineType: 'Item',
        lineObjectNumber: `I${item}`,
        quantity,
        discountPercent,
        ...(price !== undefined && { [isPurchase ? 'unitCost' : 'unitPrice']: price }),
      });
    }
  } else if (each.do === 'act') {
    const rows = await books.list(each.action.split('.')[0] as string, {});
    const row = rows[each.pick % Math.max(rows.length, 1)];
    if (row) await ACTIONS[each.action]!(books, row, {});
  } else if (each.do === 'pay') {
    const journal = await builder.number('journal', 'BANK');
    const invoices = (await books.list('salesInvoice', { status: 'Open' })).filter(
      (invoice) => invoice.text('customerNumber') === `C${each.party}`,
    );
    const invoice = invoices[each.pick % Math.max(invoices.length, 1)];
    await books.insert('journalLine', {
      journalId: journal.id,
      documentType: 'Payment',
      accountType: 'Customer',
      accountNumber: `C${each.party}`,
      amount: -each.amount,
      ...(invoice && { appliesToInvoiceId: invoice.id }),
    });
    await ACTIONS['journal.post']!(books, journal, {});
  } else {
    const journal = await builder.number('journal', 'DAILY');
    const documentNumber = `D${count}`;
    for (const amount of each.amounts) {
      await books.insert('journalLine', { journalId: journal.id, accountNumber: '6210', amount, documentNumber });
    }
    const amount = -sum(...each.amounts, each.isOff ? 1 : 0);
    await books.insert('journalLine', { journalId: journal.id, accountNumber: '1110', amount, documentNumber });
    await ACTIONS['journal.post']!(books, journal, {});
  }
  await books.settle();
}

/** The in-memory transaction has no rollback, so each step is first tried on a copy. */
async function attempt(builder: Builder, done: Step[], each: Step): Promise<Builder> {
  try {
    builder.goTo(0);
    await perform(builder, each, done.length);
    done.push(each);
    return builder;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const again = await newCompany();
    for (const [index, before] of done.entries()) {
      again.goTo(0);
      await perform(again, before, index);
    }
    return again;
  }
}

const total = (rows: readonly Row[], field: string): number => sum(...rows.map((row) => row.number(field)));

async function checkBooks(builder: Builder): Promise<void> {
  const { books } = builder;
  const entries = await books.list('generalLedgerEntry', {});
  expect(total(entries, 'debitAmount')).toBe(total(entries, 'creditAmount'));
  const accounts = await books.list('account', {});
  const balance = (account: Row): number =>
    sum(
      ...entries
        .filter((entry) => entry.text('accountId') === account.id)
        .flatMap((entry) => [entry.number('debitAmount'), -entry.number('creditAmount')]),
    );
  const posting = accounts.filter((account) => account.text('accountType') === 'Posting');
  for (const account of posting)
    expect([account.text('number'), account.number('netChange')]).toEqual([account.text('number'), balance(account)]);
  for (const ending of accounts.filter((account) => account.text('accountType') === 'End Total')) {
    const within = posting.filter((account) => isWithin(ending, account.text('number')));
    expect(ending.number('netChange')).toBe(total(within, 'netChange'));
  }
  for (const [party, field, number, sign] of [
    ['customer', 'balanceDue', '1310', 1],
    ['vendor', 'balance', '2310', -1],
  ] as const) {
    const parties = await books.list(party, {});
    const open = await books.list(`${party}LedgerEntry`, {});
    const account = accounts.find((each) => each.text('number') === number) as Row;
    expect(total(parties, field) + 0).toBe(sign * account.number('netChange') + 0);
    for (const owner of parties) {
      const own = open.filter((entry) => entry.text(`${party}Id`) === owner.id);
      expect(owner.number(field)).toBe(sign * total(own, 'amount') + 0);
      expect(owner.number(field)).toBe(sign * total(own, 'remainingAmount') + 0);
    }
  }
  for (const kind of ['salesQuote', 'salesOrder', 'salesInvoice', 'salesCreditMemo', 'purchaseInvoice']) {
    for (const document of await books.list(kind, {})) {
      const lines = await books.list(`${kind}Line`, { documentId: document.id });
      expect(document.number('totalAmountExcludingTax')).toBe(total(lines, 'netAmount'));
      expect(document.number('totalTaxAmount')).toBe(total(lines, 'netTaxAmount'));
      expect(document.number('totalAmountIncludingTax')).toBe(total(lines, 'netAmountIncludingTax'));
      if (kind === 'salesQuote' || kind === 'salesOrder' || document.text('status') === 'Draft') continue;
      await checkPosted(builder, kind, document, lines);
    }
  }
  for (const item of await books.list('item', {})) await checkStock(builder, item);
}

/** A posted document has an entry in the ledger of its party, with its amount and remaining amount. */
async function checkPosted({ books }: Builder, kind: string, document: Row, lines: readonly Row[]): Promise<void> {
  const party = kind === 'purchaseInvoice' ? 'vendor' : 'customer';
  const sign = kind === 'salesInvoice' ? 1 : -1;
  const entry = (await books.find(`${party}LedgerEntry`, {
    documentType: kind === 'salesCreditMemo' ? 'Credit Memo' : 'Invoice',
    documentNumber: document.text('number'),
  })) as Row;
  const rate = (await books.get('currency', document.text('currencyId')))?.number('exchangeRate') ?? 1;
  const expected = sign * document.number('totalAmountIncludingTax') * rate;
  // Each line and its tax are converted and rounded separately.
  expect(Math.abs(entry.number('amount') - expected)).toBeLessThanOrEqual(rate === 1 ? 0 : 0.011 * lines.length);
  if (kind !== 'salesInvoice') return;
  expect(document.number('remainingAmount') === 0).toBe(entry.number('remainingAmount') === 0);
  expect(document.text('status') === 'Open').toBe(entry.number('remainingAmount') !== 0);
}

/** Stock is what was bought, minus what was sold, plus returns. */
async function checkStock({ books }: Builder, item: Row): Promise<void> {
  if (item.text('type') !== 'Inventory') return;
  let expected = 0;
  for (const [kind, sign] of [
    ['purchaseInvoice', 1],
    ['salesInvoice', -1],
    ['salesCreditMemo', 1],
  ] as const) {
    for (const document of await books.list(kind, {})) {
      if (document.text('status') === 'Draft') continue;
      const lines = await books.list(`${kind}Line`, { documentId: document.id, itemId: item.id });
      expected += sign * lines.reduce((quantity, line) => quantity + line.number('quantity'), 0);
    }
  }
  expect(item.number('inventory')).toBeCloseTo(expected, 5);
}

describe('whatever is posted, in whatever order', () => {
  it('the books balance: debit is credit, accounts are their entries, parties are theirs, totals are their lines', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), async (steps) => {
        let builder = await newCompany();
        const done: Step[] = [];
        for (const each of steps) builder = await attempt(builder, done, each);
        await checkBooks(builder);
      }),
      { numRuns: process.env.CLOUDJAR_SOAK === '1' ? 40 : 15 },
    );
  });
});
