import type { Row } from '../../records/row.ts';
import { sum, times } from '../money.ts';
import { overdueAmount } from './aging.ts';
import { listRows, readRow, reportRow, type Source } from './rows.ts';

const NOT_POSTED = new Set(['Draft', 'In Review']);

/** Balance, sales and overdue amount of one customer, or of each. */
export async function customerFinances(source: Source, parent?: Row): Promise<Row[]> {
  const customers = parent ? [parent] : await listRows(source, 'customer');
  const rows: Row[] = [];
  for (const customer of customers) {
    const entries = await listRows(source, 'customerLedgerEntry', { customerId: customer.id });
    rows.push(
      reportRow(source, 'customerFinancialDetail', customer, {
        number: customer.text('number'),
        balance: customer.number('balanceDue'),
        totalSalesExcludingTax: await sales(source, customer),
        overdueAmount: overdueAmount(entries, source.now),
      }),
    );
  }
  return rows;
}

async function sales(source: Source, customer: Row): Promise<number> {
  const amounts: number[] = [];
  for (const [table, sign] of [
    ['salesInvoice', 1],
    ['salesCreditMemo', -1],
  ] as const) {
    for (const document of await listRows(source, table, { customerId: customer.id })) {
      if (NOT_POSTED.has(document.text('status'))) continue;
      const rate = (await readRow(source, 'currency', document.text('currencyId')))?.number('exchangeRate') || 1;
      amounts.push(times(document.number('totalAmountExcludingTax'), rate, sign));
    }
  }
  return sum(...amounts);
}
