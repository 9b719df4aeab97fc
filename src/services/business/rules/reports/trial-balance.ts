import { dayOf } from '../../../../kernel/time/index.ts';
import type { Row } from '../../records/row.ts';
import { listRows, reportRow, type Source } from './rows.ts';

/** The balance of one account, or of each, on its debit or credit side. Amounts are texts, and zero is an empty text. */
export async function trialBalance(source: Source, parent?: Row): Promise<Row[]> {
  const accounts = parent ? [parent] : await listRows(source, 'account');
  return accounts.map((account) => {
    const balance = account.number('netChange');
    const debit = balance > 0 ? balance.toFixed(2) : '';
    const credit = balance < 0 ? (-balance).toFixed(2) : '';
    return reportRow(source, 'trialBalance', account, {
      number: account.text('number'),
      accountType: account.text('accountType'),
      display: account.text('displayName'),
      totalDebit: debit,
      totalCredit: credit,
      balanceAtDateDebit: debit,
      balanceAtDateCredit: credit,
      dateFilter: dayOf(source.now),
    });
  });
}
