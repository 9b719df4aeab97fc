import { DAY_MS, dayOf } from '../../../kernel/time/index.ts';
import type { Value } from '../model/types.ts';
import type { Row } from '../records/row.ts';
import type { Builder } from './builder.ts';
import { AREAS, BLOCKED_CUSTOMERS, CUSTOMER_FIELDS, CUSTOMERS, PERSONS } from './data/customers.ts';
import { CREDIT_MEMOS, INVOICES, JOURNAL, OPEN_JOURNAL_LINES, ORDERS, PURCHASES, QUOTES } from './data/documents.ts';
import { EMPLOYEES } from './data/employees.ts';
import { ITEM_GROUPS, ITEM_VARIANTS } from './data/items.ts';
import { VENDOR_FIELDS, VENDORS } from './data/vendors.ts';

const OPENED_DAYS_AGO = 121;

/** Sample data: customers, vendors, items, and the books of the first four months. */
export async function trade(builder: Builder): Promise<void> {
  builder.goTo(OPENED_DAYS_AGO);
  await insertCustomers(builder);
  await insertVendors(builder);
  await insertItems(builder);
  await insertVariants(builder);
  await insertEmployees(builder);
  for (const { daysAgo, run } of calendar(builder)) {
    builder.goTo(daysAgo);
    await run();
  }
  builder.goTo(0);
  const journal = await builder.number('journal', 'DEFAULT');
  for (const [accountNumber, description, amount] of OPEN_JOURNAL_LINES) {
    await builder.books.insert('journalLine', { journalId: journal.id, accountNumber, description, amount });
  }
  await builder.books.settle();
}

const named = (fields: readonly string[], row: readonly string[]): Record<string, string> =>
  Object.fromEntries(fields.map((field, index) => [field, row[index] as string]));

/** For example `gasthof-seeblick.example` for `Gasthof Seeblick`. */
const domainOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll(/[^a-z0-9]+/g, (other) => (/^[\u0300-\u036f]+$/.test(other) ? '' : '-'))
    .replaceAll(/^-|-$/g, '');

async function insertCustomers(builder: Builder): Promise<void> {
  for (const [index, row] of CUSTOMERS.entries()) {
    const { taxArea, terms, shipment, ...values } = named(CUSTOMER_FIELDS, row) as Record<string, string> & {
      readonly [Name in (typeof CUSTOMER_FIELDS)[number]]: string;
    };
    const customer = await builder.insert('customer', {
      ...values,
      type: PERSONS.has(values.number) ? 'Person' : 'Company',
      phoneNumber: `+43 732 555 1${String(index + 1).padStart(3, '0')}`,
      email: `office@${domainOf(values.displayName)}.example`,
      website: `https://www.${domainOf(values.displayName)}.example`,
      taxLiable: taxArea === 'DOMESTIC',
      taxAreaId: (await builder.number('taxArea', taxArea)).id,
      paymentTermsId: (await builder.number('paymentTerm', terms)).id,
      shipmentMethodId: (await builder.number('shipmentMethod', shipment)).id,
      paymentMethodId: (await builder.number('paymentMethod', terms === 'COD' ? 'CASH' : 'BANK')).id,
      creditLimit: terms === 'COD' ? 500 : 5000 * (1 + (index % 5)),
      blocked: BLOCKED_CUSTOMERS[values.number] ?? ' ',
    });
    await builder.insert('defaultDimension', {
      parentType: 'Customer',
      parentId: customer.id,
      dimensionCode: 'AREA',
      dimensionValueCode: AREAS[values.country] ?? 'WEST',
    });
  }
}

async function insertVendors(builder: Builder): Promise<void> {
  for (const [index, row] of VENDORS.entries()) {
    const { terms, ...values } = named(VENDOR_FIELDS, row) as Record<string, string> & {
      readonly [Name in (typeof VENDOR_FIELDS)[number]]: string;
    };
    await builder.insert('vendor', {
      ...values,
      phoneNumber: `+43 732 555 2${String(index + 1).padStart(3, '0')}`,
      email: `sales@${domainOf(values.displayName)}.example`,
      website: `https://www.${domainOf(values.displayName)}.example`,
      taxLiable: values.country === 'AT',
      paymentTermsId: (await builder.number('paymentTerm', terms)).id,
      paymentMethodId: (await builder.number('paymentMethod', 'BANK')).id,
    });
  }
}

async function insertItems(builder: Builder): Promise<void> {
  for (const { code, name, type = 'Inventory', taxGroup = 'STANDARD', productGroup = 'RETAIL', items } of ITEM_GROUPS) {
    await builder.insert('itemCategory', { code, displayName: name });
    const isStocked = type === 'Inventory';
    for (const [number, displayName, baseUnitOfMeasureCode, unitPrice, unitCost] of items) {
      await builder.insert('item', {
        number,
        displayName,
        type,
        itemCategoryCode: code,
        baseUnitOfMeasureCode,
        unitPrice,
        unitCost,
        taxGroupCode: taxGroup,
        gtin: isStocked ? `90055510${number}0` : '',
        generalProductPostingGroupCode: productGroup,
        ...(isStocked && { inventoryPostingGroupCode: productGroup === 'MAKE' ? 'FINISHED' : 'RESALE' }),
      });
    }
  }
}

async function insertVariants(builder: Builder): Promise<void> {
  for (const [itemNumber, code, description] of ITEM_VARIANTS) {
    const { id: itemId } = await builder.number('item', itemNumber);
    await builder.insert('itemVariant', { itemId, code, description });
  }
}

async function insertEmployees(builder: Builder): Promise<void> {
  for (const [number, givenName, surname, jobTitle, days, birthDate] of EMPLOYEES) {
    await builder.insert('employee', {
      number,
      givenName,
      surname,
      jobTitle,
      city: 'Linz',
      country: 'AT',
      postalCode: '4020',
      email: `${domainOf(givenName)}.${domainOf(surname)}@brennsee.example`,
      employmentDate: dayOf(builder.at - days * DAY_MS),
      birthDate,
    });
  }
}

interface Occasion {
  readonly daysAgo: number;
  run(): Promise<void>;
}

/** All sample events, in chronological order. */
function calendar(builder: Builder): readonly Occasion[] {
  const occasions: Occasion[] = [
    ...JOURNAL.map((row) => ({ daysAgo: row[0], run: () => postJournalLine(builder, row) })),
    ...PURCHASES.flatMap((row) => purchaseOccasions(builder, row)),
    ...INVOICES.flatMap((row) => invoiceOccasions(builder, row)),
    ...ORDERS.flatMap((row) => orderOccasions(builder, row)),
    ...QUOTES.map((row) => ({ daysAgo: row[0], run: () => quote(builder, row) })),
    ...CREDIT_MEMOS.map((row) => ({ daysAgo: row[0], run: () => creditMemo(builder, row) })),
  ];
  return occasions.sort((one, other) => other.daysAgo - one.daysAgo);
}

async function postJournalLine(
  builder: Builder,
  [, description, accountNumber, balancingAccountNumber, amount]: (typeof JOURNAL)[number],
): Promise<void> {
  const journal = await builder.number('journal', 'DAILY');
  await builder.books.insert('journalLine', {
    journalId: journal.id,
    accountNumber,
    balancingAccountNumber,
    description,
    amount,
  });
  await builder.act(journal, 'post');
}

/** `1001*6` is six of an item, `6110*1@4200` is an amount for an account. */
async function insertLines(builder: Builder, table: string, documentId: string, lines: string): Promise<void> {
  for (const line of lines.split(' ')) {
    const [, number = '', quantity = '0', amount] = /^(\w+)\*([\d.]+)(?:@([\d.]+))?$/.exec(line) ?? [];
    if (quantity === '0') continue;
    const values: Record<string, Value> = { documentId, lineObjectNumber: number, quantity: Number(quantity) };
    await builder.books.insert(table, {
      ...values,
      ...(amount === undefined
        ? { lineType: 'Item' }
        : { lineType: 'Account', unitCost: Number(amount), taxCode: 'STANDARD' }),
    });
  }
  await builder.books.settle();
}

const DAYS_UNTIL_VENDOR_IS_PAID = 35;

function purchaseOccasions(builder: Builder, row: (typeof PURCHASES)[number]): readonly Occasion[] {
  const [daysAgo, vendorNumber, vendorInvoiceNumber, lines, isPosted] = row;
  const make = async (): Promise<void> => {
    const invoice = await builder.books.insert('purchaseInvoice', { vendorNumber, vendorInvoiceNumber });
    await insertLines(builder, 'purchaseInvoiceLine', invoice.id, lines);
    if (isPosted) await builder.act(invoice, 'post');
  };
  const later = daysAgo - DAYS_UNTIL_VENDOR_IS_PAID;
  const made = { daysAgo, run: make };
  return later < 0 ? [made] : [made, { daysAgo: later, run: () => payVendor(builder, vendorNumber) }];
}

async function payVendor(builder: Builder, accountNumber: string): Promise<void> {
  const vendor = await builder.number('vendor', accountNumber);
  const journal = await builder.number('journal', 'BANKOUT');
  await builder.books.insert('journalLine', {
    journalId: journal.id,
    documentType: 'Payment',
    accountType: 'Vendor',
    accountNumber,
    amount: vendor.number('balance'),
    description: `Payment to ${vendor.text('displayName')}`,
  });
  await builder.act(journal, 'post');
}

async function salesDocument(builder: Builder, table: string, customerNumber: string, lines: string): Promise<Row> {
  const document = await builder.books.insert(table, { customerNumber });
  await insertLines(builder, `${table}Line`, document.id, lines);
  return builder.books.current(document);
}

const DAYS_UNTIL_PAID = 12;

function invoiceOccasions(
  builder: Builder,
  [daysAgo, customer, lines, outcome]: (typeof INVOICES)[number],
): readonly Occasion[] {
  let id: string;
  const make = async (): Promise<void> => {
    const invoice = await salesDocument(builder, 'salesInvoice', customer, lines);
    id = invoice.id;
    if (outcome !== 'draft') await builder.act(invoice, 'post');
  };
  const invoiceNow = async (): Promise<Row> => (await builder.books.get('salesInvoice', id)) as Row;
  const later = daysAgo - DAYS_UNTIL_PAID;
  const made = { daysAgo, run: make };
  if (outcome === 'canceled') {
    return [made, { daysAgo: later, run: async () => void (await builder.act(await invoiceNow(), 'cancel')) }];
  }
  if (outcome !== 'paid' && outcome !== 'part') return [made];
  return [made, { daysAgo: later, run: async () => pay(builder, await invoiceNow(), outcome === 'paid' ? 1 : 0.5) }];
}

/** In the currency of the books, like the ledger. */
async function pay(builder: Builder, invoice: Row, share: number): Promise<void> {
  const entry = await builder.books.find('customerLedgerEntry', {
    customerId: invoice.text('billToCustomerId'),
    documentNumber: invoice.text('number'),
  });
  const journal = await builder.number('journal', 'BANK');
  await builder.books.insert('journalLine', {
    journalId: journal.id,
    documentType: 'Payment',
    accountType: 'Customer',
    appliesToInvoiceId: invoice.id,
    amount: -(entry?.number('remainingAmount') ?? 0) * share,
    description: `Payment of ${invoice.text('number')}`,
  });
  await builder.act(journal, 'post');
}

const DAYS_UNTIL_SHIPPED = 3;

function orderOccasions(
  builder: Builder,
  [daysAgo, customer, lines, isShipped]: (typeof ORDERS)[number],
): readonly Occasion[] {
  let order: Row;
  const made = {
    daysAgo,
    run: async () => {
      order = await salesDocument(builder, 'salesOrder', customer, lines);
    },
  };
  if (!isShipped) return [made];
  const ship = async (): Promise<void> => {
    await builder.act((await builder.books.get('salesOrder', order.id)) as Row, 'shipAndInvoice');
  };
  return [made, { daysAgo: daysAgo - DAYS_UNTIL_SHIPPED, run: ship }];
}

async function quote(builder: Builder, [, customer, lines, progress]: (typeof QUOTES)[number]): Promise<void> {
  const made = await salesDocument(builder, 'salesQuote', customer, lines);
  if (progress === 'draft') return;
  const sent = await builder.act(made, 'send');
  if (progress === 'accepted') await builder.books.modify(sent, { acceptedDate: builder.today });
}

async function creditMemo(
  builder: Builder,
  [, customer, lines, isPosted]: (typeof CREDIT_MEMOS)[number],
): Promise<void> {
  const made = await salesDocument(builder, 'salesCreditMemo', customer, lines);
  if (isPosted) await builder.act(made, 'post');
}
