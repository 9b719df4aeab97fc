import type { Books } from '../../records/books.ts';
import { NO_GUID, type Row } from '../../records/row.ts';
import { requirePostingAccount } from '../documents/blocked.ts';
import { sum } from '../money.ts';
import { type CompanyRole, companyAccount } from '../posting/accounts.ts';
import { dimensionsOf } from '../posting/dimensions.ts';
import { type Leg, lockPosting, post } from '../posting/general-ledger.ts';
import { apply, applyToOldest, enter, entryOf, type Party } from '../posting/sub-ledger.ts';
import { refusal } from '../refuse.ts';
import type { BoundAction } from '../types.ts';
import { ACCOUNT_TABLES } from './line.ts';

/** General ledger accounts of receivables and payables. */
const ROLE_OF_TYPE: Readonly<Record<string, CompanyRole>> = {
  Customer: 'receivables',
  Vendor: 'payables',
  Employee: 'employees',
};

/** The two accounts of a line, with their signs. */
const SIDES = [
  { type: 'accountType', id: 'accountId', sign: 1 },
  { type: 'balanceAccountType', id: 'balancingAccountId', sign: -1 },
] as const;

/** Posts all lines of a journal, document by document, and empties it. If one line is invalid, nothing is posted. */
const postJournal: BoundAction = async (books, journal) => {
  await lockPosting(books);
  const lines = await books.list('journalLine', { journalId: journal.id });
  if (lines.length === 0) throw refusal('There is nothing to post: the journal has no lines.');
  for (const line of lines) requireComplete(line);
  const documents = Map.groupBy(lines, (line) => `${line.text('postingDate')} ${line.text('documentNumber')}`);
  for (const document of documents.values()) requireBalance(document);
  for (const document of documents.values()) await postLines(books, document);
  for (const line of lines) await books.remove(line);
};

function requireComplete(line: Row): void {
  const must = (field: string, what: string): Error =>
    refusal(`${what} must have a value in Gen. Journal Line: Line No.=${line.number('lineNumber')}.`, field);
  if (line.text('accountId') === NO_GUID) throw must('accountNumber', 'Account No.');
  if (line.text('documentNumber') === '') throw must('documentNumber', 'Document No.');
  if (line.number('amount') === 0) throw must('amount', 'Amount');
  const isPayment = line.text('documentType') === 'Payment' && line.text('accountType') === 'Customer';
  if (isPayment && line.number('amount') > 0) {
    throw refusal(
      `Amount must be negative in Gen. Journal Line: Line No.=${line.number('lineNumber')}. A payment lowers what the customer owes.`,
      'amount',
    );
  }
}

function requireBalance(lines: readonly Row[]): void {
  const unbalanced = lines.filter((line) => line.text('balancingAccountId') === NO_GUID);
  const balance = sum(...unbalanced.map((line) => line.number('amount')));
  if (balance === 0) return;
  throw refusal(
    `The lines in the journal are out of balance by ${balance}. Document No. ${lines[0]!.text('documentNumber')} has to balance on ${lines[0]!.text('postingDate')}.`,
    'amount',
  );
}

async function postLines(books: Books, lines: readonly Row[]): Promise<void> {
  const legs: Leg[] = [];
  for (const line of lines) legs.push(...(await legsOf(books, line)));
  const [first] = lines as [Row];
  const { postingDate, documentType, documentNumber } = headOf(first);
  await post(books, { postingDate, documentType, documentNumber, legs });
  for (const line of lines) await enterParties(books, line);
}

const headOf = (line: Row) => ({
  postingDate: line.text('postingDate'),
  documentType: line.text('documentType'),
  documentNumber: line.text('documentNumber'),
});

async function legsOf(books: Books, line: Row): Promise<Leg[]> {
  const dimensions = await dimensionsOf(books, line);
  const description = line.text('description');
  const legs: Leg[] = [];
  for (const { type, id, sign } of SIDES) {
    if (line.text(id) === NO_GUID) continue;
    const account = await ledgerAccount(books, line, type, id);
    legs.push({ account, amount: sign * line.number('amount'), description, dimensions });
  }
  return legs;
}

async function ledgerAccount(books: Books, line: Row, type: string, id: string): Promise<Row> {
  const accountType = line.text(type);
  const owner = await books.get(ACCOUNT_TABLES[accountType] as string, line.text(id));
  if (!owner) throw refusal(`Line ${line.number('lineNumber')} names a record that does not exist any more.`, id);
  const role = ROLE_OF_TYPE[accountType];
  if (role !== undefined) return companyAccount(books, role);
  requirePostingAccount(owner, id);
  return owner;
}

/** Balances of customers and vendors change with the ledger. */
async function enterParties(books: Books, line: Row): Promise<void> {
  for (const { type, id, sign } of SIDES) {
    const party = line.text(type).toLowerCase() as Party;
    if ((party !== 'customer' && party !== 'vendor') || line.text(id) === NO_GUID) continue;
    const entry = await enter(books, {
      ...headOf(line),
      party,
      partyId: line.text(id),
      dueDate: line.text('postingDate'),
      description: line.text('description'),
      externalDocumentNumber: line.text('externalDocumentNumber'),
      amount: sign * line.number('amount'),
    });
    if (party === 'vendor') await applyToOldest(books, 'vendor', entry);
    const invoiceNumber = line.text('appliesToInvoiceNumber');
    if (party !== 'customer' || invoiceNumber === '') continue;
    const invoice = await entryOf(books, 'customer', line.text(id), 'Invoice', invoiceNumber);
    if (!invoice)
      throw refusal(
        `There is no posted invoice ${invoiceNumber} of this customer to apply to.`,
        'appliesToInvoiceNumber',
      );
    await apply(books, 'customer', entry, invoice);
  }
}

export const JOURNAL_ACTIONS: Readonly<Record<string, BoundAction>> = { 'journal.post': postJournal };
