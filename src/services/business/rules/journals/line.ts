import { dayOf } from '../../../../kernel/time/index.ts';
import { errors } from '../../errors.ts';
import type { Books } from '../../records/books.ts';
import { nextNumber } from '../../records/number-series.ts';
import { NO_GUID, type Row } from '../../records/row.ts';
import { requirePostingAccount } from '../documents/blocked.ts';
import { isDate } from '../documents/kinds.ts';
import { cents } from '../money.ts';
import { refusal } from '../refuse.ts';
import { claimSequence, lastLine } from '../sequence.ts';
import type { Draft, TableRules } from '../types.ts';

/** Tables that a line can refer to, by account type. */
export const ACCOUNT_TABLES: Readonly<Record<string, string>> = {
  'G/L Account': 'account',
  Customer: 'customer',
  Vendor: 'vendor',
  Employee: 'employee',
};

const DOCUMENT_SERIES = 'GENJNL';

export const JOURNAL_LINE_RULES: TableRules = {
  async insert(books, draft, given) {
    const journal = await requireJournal(books, draft);
    const last = await lastLine(books, 'journalLine', 'journalId', journal.id);
    await claimSequence(books, 'journalLine', draft, 'journalId', 'lineNumber');
    if (!given.has('balancingAccountId') && !given.has('balancingAccountNumber') && !given.has('balanceAccountType')) {
      draft.balancingAccountId = journal.get('balancingAccountId');
      draft.balancingAccountNumber = journal.get('balancingAccountNumber');
    }
    await settleLine(books, draft, given);
    if (!isDate(draft.postingDate)) draft.postingDate = last?.get('postingDate') ?? dayOf(books.now);
    if (draft.documentNumber === '') draft.documentNumber = await documentNumber(books, draft, last);
  },

  async modify(books, draft, _before, changed) {
    if (changed.size === 0) return;
    if (changed.has('journalId')) throw refusal('A line cannot be moved to another journal.', 'journalId');
    if (changed.has('lineNumber')) await claimSequence(books, 'journalLine', draft, 'journalId', 'lineNumber');
    if (changed.has('accountType') && !changed.has('accountId') && !changed.has('accountNumber')) {
      draft.accountId = NO_GUID;
      draft.accountNumber = '';
    }
    await settleLine(books, draft, changed);
  },
};

async function requireJournal(books: Books, draft: Draft): Promise<Row> {
  const value = draft.journalId as string;
  if (value === NO_GUID) {
    throw errors.BadRequest_RequiredParamNotProvided({ property: 'journalId' }, { target: 'journalId' });
  }
  const journal = await books.get('journal', value);
  if (journal) return journal;
  throw errors.Internal_InvalidTableRelation(
    { field: 'journalId', value, table: 'Gen. Journal Batch' },
    { target: 'journalId' },
  );
}

async function settleLine(books: Books, draft: Draft, given: ReadonlySet<string>): Promise<void> {
  draft.amount = cents(draft.amount as number);
  if (draft.appliesToInvoiceId !== NO_GUID && given.has('appliesToInvoiceId')) await settleInvoice(books, draft);
  else if (draft.appliesToInvoiceNumber !== '' && given.has('appliesToInvoiceNumber'))
    await settleInvoice(books, draft);
  const account = await requireAccount(books, draft, 'accountType', 'accountId');
  await requireAccount(books, draft, 'balanceAccountType', 'balancingAccountId');
  const isNewAccount = given.has('accountId') || given.has('accountNumber') || given.has('appliesToInvoiceId');
  if (account && isNewAccount && !given.has('description')) draft.description = account.text('displayName');
}

/** The paid invoice determines the customer. */
async function settleInvoice(books: Books, draft: Draft): Promise<void> {
  const invoice = await books.get('salesInvoice', draft.appliesToInvoiceId as string);
  if (!invoice) return;
  const customerId = invoice.text('billToCustomerId');
  if (draft.accountId === NO_GUID) {
    draft.accountType = 'Customer';
    draft.accountId = customerId;
    draft.accountNumber = invoice.text('billToCustomerNumber');
  }
  if (draft.accountId === customerId) return;
  throw refusal(
    `The invoice ${invoice.text('number')} is not one of the customer ${draft.accountNumber}.`,
    'appliesToInvoiceId',
  );
}

async function requireAccount(books: Books, draft: Draft, type: string, id: string): Promise<Row | undefined> {
  const accountType = draft[type] as string;
  const table = ACCOUNT_TABLES[accountType];
  if (table === undefined) {
    throw refusal(
      `Lines with '${accountType}' are not supported: use ${Object.keys(ACCOUNT_TABLES).join(', ')}.`,
      type,
    );
  }
  const value = draft[id] as string;
  if (value === NO_GUID) return undefined;
  const account = await books.get(table, value);
  if (!account) {
    const { caption } = books.model.table(table);
    throw errors.Internal_InvalidTableRelation({ field: id, value, table: caption }, { target: id });
  }
  if (table === 'account') requirePostingAccount(account, id);
  if ('blocked' in account.table.fields && account.get('blocked') === 'All') {
    throw refusal(`The ${account.table.caption} ${account.text('number')} is blocked with type All.`, id);
  }
  return account;
}

/** Consecutive lines without a balancing account belong together and share a number; a line with a balancing account has its own. */
async function documentNumber(books: Books, draft: Draft, last: Row | undefined): Promise<string> {
  const isOpenEnded = draft.balancingAccountId === NO_GUID && last?.get('balancingAccountId') === NO_GUID;
  if (last && isOpenEnded && last.text('documentNumber') !== '') return last.text('documentNumber');
  return nextNumber(books, DOCUMENT_SERIES);
}
