import type { Row } from '../../records/row.ts';
import { refusal } from '../refuse.ts';
import type { DocumentKind } from './kinds.ts';

/** Document kinds that a block on a customer forbids; only `All` forbids credit memos. */
const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  All: ['salesQuote', 'salesOrder', 'salesInvoice', 'salesCreditMemo', 'purchaseInvoice'],
  Invoice: ['salesQuote', 'salesOrder', 'salesInvoice'],
  Ship: ['salesQuote', 'salesOrder'],
};

/** Refuses documents of a blocked party. */
export function requireUnblocked(kind: DocumentKind, party: Row, action: 'create' | 'post'): void {
  const block = party.text('blocked');
  if (!FORBIDDEN[block]?.includes(kind.header)) return;
  throw refusal(
    `You cannot ${action} this type of document when ${party.table.caption} ${party.text('number')} is blocked with type ${block}.`,
    `${kind.party}Id`,
  );
}

export function requireUnblockedItem(item: Row): void {
  if (item.get('blocked') !== true) return;
  throw refusal(`Blocked must be equal to 'No' in Item: No.=${item.text('number')}. Current value is 'Yes'.`, 'itemId');
}

/** Only accounts that allow direct posting can be used in lines of documents and journals. */
export function requirePostingAccount(account: Row, field: string): void {
  const number = account.text('number');
  const must = (what: string, value: string, is: string): Error =>
    refusal(`${what} must be equal to '${value}' in G/L Account: No.=${number}. Current value is '${is}'.`, field);
  if (account.text('accountType') !== 'Posting') throw must('Account Type', 'Posting', account.text('accountType'));
  if (account.get('blocked') === true) throw must('Blocked', 'No', 'Yes');
  if (account.get('directPosting') !== true) throw must('Direct Posting', 'Yes', 'No');
}
