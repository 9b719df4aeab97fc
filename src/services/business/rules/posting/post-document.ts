import type { Books } from '../../records/books.ts';
import { nextNumber } from '../../records/number-series.ts';
import { NO_GUID, type Row } from '../../records/row.ts';
import { requirePostingAccount, requireUnblocked, requireUnblockedItem } from '../documents/blocked.ts';
import { exchangeRate } from '../documents/exchange-rate.ts';
import { type DocumentKind, SALES_CREDIT_MEMO } from '../documents/kinds.ts';
import { sum, times } from '../money.ts';
import { refusal } from '../refuse.ts';
import { companyAccount, productAccount } from './accounts.ts';
import { dimensionsOf } from './dimensions.ts';
import { type Leg, lockPosting, post } from './general-ledger.ts';
import { isStocked, putIntoStock, takeFromStock } from './stock.ts';
import { apply, enter, entryOf } from './sub-ledger.ts';

export interface PostOptions {
  /** Status of the document after posting; default: `Open`, or `Paid` if nothing is to be paid. */
  readonly status?: string;
}

/**
 * Posts a document: balanced ledger entries, the party's balance, stock, its own number and status. If a check fails, nothing is posted.
 */
export async function postDocument(
  books: Books,
  kind: DocumentKind,
  row: Row,
  { status }: PostOptions = {},
): Promise<Row> {
  await lockPosting(books);
  // Amounts must reflect the current lines.
  await books.settle();
  const document = books.current(row);
  if (!kind.editable.includes(document.text('status'))) {
    throw refusal(`The ${kind.caption} ${document.text('number')} has already been posted.`, 'status');
  }
  const lines = await books.list(kind.lines, { documentId: document.id });
  const payer = await requirePostable(books, kind, document, lines);
  const number = await nextNumber(books, kind.postedSeries as string, (free) =>
    books.isFree(document.table, { number: free }),
  );
  const rate = await exchangeRate(books, document);
  const legs = await legsOf(books, kind, lines, { rate, number });
  const owed = sum(...legs.map(({ amount }) => -amount));
  const account = await companyAccount(books, kind.party === 'customer' ? 'receivables' : 'payables');
  const description = `${kind.entryType} ${number}`;
  const common = {
    postingDate: document.text('postingDate'),
    documentType: kind.entryType,
    documentNumber: number,
  };
  const dimensions = await dimensionsOf(books, document, payer);
  const sides = [...legs, { account, amount: owed, description }];
  await post(books, { ...common, legs: sides.map((leg) => ({ ...leg, dimensions })) });
  const total = document.number('totalAmountIncludingTax');
  const isSettled = total === 0 ? 'Paid' : 'Open';
  const posted = await books.modify(document, {
    number,
    status: status ?? isSettled,
    ...('remainingAmount' in document.table.fields && { remainingAmount: total }),
  });
  const entry = await enter(books, {
    ...common,
    party: kind.party,
    partyId: payer.id,
    description,
    amount: owed,
    dueDate: document.text('dueDate'),
    externalDocumentNumber: document.text(kind.party === 'customer' ? 'externalDocumentNumber' : 'vendorInvoiceNumber'),
  });
  await moveStock(books, kind, lines, rate);
  if (kind === SALES_CREDIT_MEMO) await applyToInvoice(books, posted, entry);
  return books.current(posted);
}

async function requirePostable(books: Books, kind: DocumentKind, document: Row, lines: readonly Row[]): Promise<Row> {
  if (!lines.some((line) => line.number('quantity') !== 0)) {
    throw refusal('There is nothing to post because the document does not contain a quantity or amount.');
  }
  if (document.number('totalAmountIncludingTax') < 0) {
    throw refusal('The total amount for the document must be 0 or greater.', 'totalAmountIncludingTax');
  }
  const party = (await books.get(kind.party, document.text(`${kind.party}Id`))) as Row;
  requireUnblocked(kind, party, 'post');
  if (kind.party === 'vendor') await requireVendorNumber(books, document);
  const payerId = document.text(kind.party === 'customer' ? 'billToCustomerId' : 'payToVendorId');
  const payer = payerId === NO_GUID || payerId === party.id ? party : await books.get(kind.party, payerId);
  if (!payer) throw refusal(`The ${kind.party} that the document is billed to does not exist.`);
  if (payer !== party) requireUnblocked(kind, payer, 'post');
  return payer;
}

/** The vendor's own invoice number is required, and each can be posted only once. */
async function requireVendorNumber(books: Books, document: Row): Promise<void> {
  const vendorInvoiceNumber = document.text('vendorInvoiceNumber');
  if (vendorInvoiceNumber === '') {
    throw refusal(
      'You need to enter the document number of the document from the vendor in the Vendor Invoice No. field, so that this document stays linked to the original.',
      'vendorInvoiceNumber',
    );
  }
  const vendorId = document.text('vendorId');
  const same = await books.list('purchaseInvoice', { vendorId, vendorInvoiceNumber });
  if (same.every((other) => other.id === document.id || isDraft(other))) return;
  throw refusal(`Purchase Invoice ${vendorInvoiceNumber} already exists for this vendor.`, 'vendorInvoiceNumber');
}

const isDraft = (row: Row): boolean => row.text('status') === 'Draft' || row.text('status') === 'In Review';

interface Terms {
  readonly rate: number;
  readonly number: string;
}

/** All sides of the posting except the party's. Debits are positive, so revenue is negative. */
async function legsOf(
  books: Books,
  kind: DocumentKind,
  lines: readonly Row[],
  { rate, number }: Terms,
): Promise<Leg[]> {
  const sign = kind.entryType === 'Credit Memo' ? 1 : -1;
  const isPurchase = kind.party === 'vendor';
  const side = isPurchase ? 1 : sign;
  const description = `${kind.entryType} ${number}`;
  const tax = await companyAccount(books, isPurchase ? 'purchaseTax' : 'salesTax');
  const legs: Leg[] = [];
  for (const line of lines) {
    if (line.text('lineType') === 'Comment') continue;
    const item = line.text('lineType') === 'Item' ? await requireItem(books, line) : undefined;
    const account = item ? await itemAccount(books, kind, item) : await requireAccount(books, line);
    legs.push({ account, amount: times(line.number('netAmount'), rate, side), description });
    legs.push({ account: tax, amount: times(line.number('netTaxAmount'), rate, side), description });
    if (item && !isPurchase) legs.push(...(await costLegs(books, item, line.number('quantity') * -sign, description)));
  }
  return legs.filter(({ amount }) => amount !== 0);
}

async function requireItem(books: Books, line: Row): Promise<Row> {
  const item = await books.get('item', line.text('itemId'));
  if (!item) throw refusal(`The item ${line.text('lineObjectNumber')} of a line does not exist any more.`, 'itemId');
  requireUnblockedItem(item);
  return item;
}

async function requireAccount(books: Books, line: Row): Promise<Row> {
  const account = await books.get('account', line.text('accountId'));
  if (!account) throw refusal(`The account ${line.text('lineObjectNumber')} of a line does not exist.`, 'accountId');
  requirePostingAccount(account, 'accountId');
  return account;
}

function itemAccount(books: Books, kind: DocumentKind, item: Row): Promise<Row> {
  const group = item.text('generalProductPostingGroupCode');
  if (kind.party === 'vendor') {
    return isStocked(item) ? companyAccount(books, 'inventory') : productAccount(books, group, 'purchases');
  }
  return productAccount(books, group, kind === SALES_CREDIT_MEMO ? 'salesReturns' : 'sales');
}

/** Goods taken from stock become cost. */
async function costLegs(books: Books, item: Row, quantity: number, description: string): Promise<Leg[]> {
  const amount = times(quantity, item.number('unitCost'));
  if (!isStocked(item) || amount === 0) return [];
  const cost = await productAccount(books, item.text('generalProductPostingGroupCode'), 'cost');
  const inventory = await companyAccount(books, 'inventory');
  return [
    { account: cost, amount, description },
    { account: inventory, amount: -amount, description },
  ];
}

async function moveStock(books: Books, kind: DocumentKind, lines: readonly Row[], rate: number): Promise<void> {
  for (const line of lines) {
    if (line.text('lineType') !== 'Item') continue;
    const quantity = line.number('quantity');
    if (kind.party === 'vendor') {
      await putIntoStock(books, line.text('itemId'), quantity, times(line.number('netAmount'), rate));
    } else await takeFromStock(books, line.text('itemId'), kind === SALES_CREDIT_MEMO ? -quantity : quantity);
  }
}

async function applyToInvoice(books: Books, creditMemo: Row, entry: Row): Promise<void> {
  const number = creditMemo.text('invoiceNumber');
  const invoice =
    number === '' ? undefined : await entryOf(books, 'customer', entry.text('customerId'), 'Invoice', number);
  if (invoice) await apply(books, 'customer', entry, invoice);
}
