import type { Books } from '../../records/books.ts';
import { numberSeries } from '../../records/collection.ts';
import type { Row } from '../../records/row.ts';
import { sum } from '../money.ts';
import { refusal } from '../refuse.ts';

/** One side of a posting: positive amounts are debits. */
export interface Leg {
  readonly account: Row;
  readonly amount: number;
  readonly description: string;
  readonly dimensions?: readonly Dimension[];
}

export interface Posting {
  readonly postingDate: string;
  readonly documentType: string;
  readonly documentNumber: string;
  readonly legs: readonly Leg[];
}

export interface Dimension {
  readonly code: string;
  readonly valueCode: string;
}

/** Serialises the postings of a company: they change the same accounts and could otherwise deadlock. */
export const lockPosting = (books: Books): Promise<void> => books.tx.lock(`business/posting/${books.company.key}`);

/** The next entry number of a ledger; requires the lock of `lockPosting`. */
export async function nextEntryNumber(books: Books, ledger: string): Promise<number> {
  const key = `${books.company.key}/${ledger}`;
  const stored = await books.tx.get(numberSeries, key);
  const next = Number(stored?.value.last ?? 0) + 1;
  await books.tx.put(numberSeries, key, { last: String(next), step: 1 });
  return next;
}

/**
 * Writes balanced entries to the general ledger, one for each account, description and set of dimensions, and updates the account balances.
 */
export async function post(books: Books, { legs, ...document }: Posting): Promise<void> {
  const balance = sum(...legs.map(({ amount }) => amount));
  if (balance !== 0) {
    throw refusal(`The posting of ${document.documentNumber} is out of balance by ${balance}; nothing was posted.`);
  }
  const totals = await books.list('account', { accountType: 'End Total' });
  for (const { account, amount, description, dimensions = [] } of merged(legs)) {
    const entry = await books.insert('generalLedgerEntry', {
      ...document,
      entryNumber: await nextEntryNumber(books, 'generalLedgerEntry'),
      accountId: account.id,
      description,
      debitAmount: Math.max(amount, 0),
      creditAmount: Math.max(-amount, 0),
    });
    for (const { code, valueCode } of dimensions) {
      await books.insert('dimensionSetLine', {
        parentId: entry.id,
        parentType: 'General Ledger Entry',
        code,
        valueCode,
      });
    }
    await move(books, account, totals, amount);
  }
}

function merged(legs: readonly Leg[]): readonly Leg[] {
  const byAccount = Map.groupBy(legs, ({ account, description, dimensions }) =>
    JSON.stringify([account.id, description, dimensions]),
  );
  return [...byAccount.values()]
    .map((same) => ({ ...(same[0] as Leg), amount: sum(...same.map(({ amount }) => amount)) }))
    .filter(({ amount }) => amount !== 0);
}

/** Updates the account and the totals that include it. */
async function move(books: Books, account: Row, totals: readonly Row[], amount: number): Promise<void> {
  const number = account.text('number');
  for (const { id } of [account, ...totals.filter((total) => isWithin(total, number))]) {
    const row = (await books.get('account', id)) as Row;
    await books.derive(row, { netChange: sum(row.number('netChange'), amount) });
  }
}

/** True if a total such as `1000..1999` includes an account. */
export function isWithin(total: Row, number: string): boolean {
  const [from = '', to = ''] = total.text('totaling').split('..');
  return from !== '' && from <= number && number <= to;
}
