/** Open amounts of customers and vendors, per document, and their settlement. Amounts are in the currency of the books. */
import type { Books } from '../../records/books.ts';
import { NO_DATE, type Row } from '../../records/row.ts';
import { share, sum } from '../money.ts';
import { nextEntryNumber } from './general-ledger.ts';

export type Party = 'customer' | 'vendor';

const BALANCE: Readonly<Record<Party, string>> = { customer: 'balanceDue', vendor: 'balance' };

/** Document tables of a party's entries, by entry type. */
const DOCUMENTS: Readonly<Record<Party, Readonly<Record<string, string>>>> = {
  customer: { Invoice: 'salesInvoice', 'Credit Memo': 'salesCreditMemo' },
  vendor: { Invoice: 'purchaseInvoice' },
};

export interface Entry {
  readonly party: Party;
  readonly partyId: string;
  readonly postingDate: string;
  readonly dueDate?: string;
  readonly documentType: string;
  readonly documentNumber: string;
  readonly externalDocumentNumber?: string;
  readonly description: string;
  /** Positive if the party owes the company, negative otherwise; the same for customers and vendors. */
  readonly amount: number;
}

/** Writes an entry and updates the balance of its party. A vendor's balance is what the company owes. */
export async function enter(books: Books, entry: Entry): Promise<Row> {
  const { party, partyId, amount, dueDate = NO_DATE, externalDocumentNumber = '', ...rest } = entry;
  const row = await books.insert(`${party}LedgerEntry`, {
    ...rest,
    [`${party}Id`]: partyId,
    entryNumber: await nextEntryNumber(books, `${party}LedgerEntry`),
    dueDate,
    externalDocumentNumber,
    amount,
    remainingAmount: amount,
    open: amount !== 0,
  });
  const owner = (await books.get(party, partyId)) as Row;
  const moved = party === 'customer' ? amount : -amount;
  await books.derive(owner, { [BALANCE[party]]: sum(owner.number(BALANCE[party]), moved) });
  return row;
}

/** The entry of a posted document. */
export const entryOf = (
  books: Books,
  party: Party,
  partyId: string,
  documentType: string,
  documentNumber: string,
): Promise<Row | undefined> =>
  books.find(`${party}LedgerEntry`, { [`${party}Id`]: partyId, documentType, documentNumber });

/** Settles two entries of opposite sign against each other, up to the smaller amount. */
export async function apply(books: Books, party: Party, one: Row, other: Row): Promise<void> {
  const [left, right] = [books.current(one).number('remainingAmount'), books.current(other).number('remainingAmount')];
  if (left * right >= 0) return;
  const applied = Math.min(Math.abs(left), Math.abs(right));
  for (const [row, remaining] of [
    [one, left],
    [other, right],
  ] as const) {
    const remainingAmount = sum(remaining, remaining > 0 ? -applied : applied);
    const settled = await books.derive(row, { remainingAmount, open: remainingAmount !== 0 });
    await followSettlement(books, party, settled);
  }
}

/** A journal line cannot name the vendor invoice that it pays: it settles those that are due first. */
export async function applyToOldest(books: Books, party: Party, entry: Row): Promise<void> {
  const entries = await books.list(`${party}LedgerEntry`, { [`${party}Id`]: entry.get(`${party}Id`) });
  const open = entries.filter((other) => other.number('remainingAmount') * entry.number('amount') < 0);
  open.sort((one, other) => (one.text('dueDate') < other.text('dueDate') ? -1 : 1));
  for (const other of open) {
    if (books.current(entry).number('remainingAmount') === 0) return;
    await apply(books, party, entry, other);
  }
}

/** Sets a document to paid when its entry is fully settled; until then updates the remaining amount, in the document's currency. */
async function followSettlement(books: Books, party: Party, entry: Row): Promise<void> {
  const table = DOCUMENTS[party][entry.text('documentType')];
  if (table === undefined) return;
  const document = await books.find(table, { number: entry.text('documentNumber') });
  if (!document) return;
  const remaining = entry.number('remainingAmount');
  const status = remaining === 0 ? 'Paid' : 'Open';
  const total = document.number('totalAmountIncludingTax');
  await books.modify(document, {
    ...(PAYABLE.has(document.text('status')) && { status }),
    ...('remainingAmount' in document.table.fields && {
      remainingAmount: share(total, remaining, entry.number('amount')),
    }),
  });
}

const PAYABLE = new Set(['Open', 'Paid']);
