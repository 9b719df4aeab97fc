import { DAY_MS, dayOf } from '../../../../kernel/time/index.ts';
import type { Row } from '../../records/row.ts';
import { sum } from '../money.ts';
import { listRows, reportRow, type Source } from './rows.ts';

const PERIOD_DAYS = 30;

/** Open amounts by age: not due, up to thirty days, up to sixty, longer. */
interface Aged {
  readonly balanceDue: number;
  readonly currentAmount: number;
  readonly period1Amount: number;
  readonly period2Amount: number;
  readonly period3Amount: number;
}

/** One row for `parent`, or one for each party with open amounts. */
export async function agedAccounts(source: Source, party: 'customer' | 'vendor', parent?: Row): Promise<Row[]> {
  const entries = await listRows(
    source,
    `${party}LedgerEntry`,
    parent ? { [`${party}Id`]: parent.id } : {},
    // The column of `remainingAmount`.
    { op: 'ne', field: 'n3', value: 0 },
  );
  const byParty = Map.groupBy(entries, (entry) => entry.text(`${party}Id`));
  const parties = parent ? [parent] : (await listRows(source, party)).filter(({ id }) => byParty.has(id));
  const table = party === 'customer' ? 'agedAccountsReceivable' : 'agedAccountsPayable';
  return parties.map((row) =>
    reportRow(source, table, row, {
      [`${party}Number`]: row.text('number'),
      name: row.text('displayName'),
      currencyCode: row.text('currencyCode'),
      ...aged(byParty.get(row.id) ?? [], party === 'customer' ? 1 : -1, source.now),
      agedAsOfDate: dayOf(source.now),
      periodLengthFilter: `${PERIOD_DAYS}D`,
    }),
  );
}

function aged(entries: readonly Row[], sign: 1 | -1, now: number): Aged & Record<string, number> {
  const today = Date.parse(dayOf(now));
  const periods: number[][] = [[], [], [], []];
  for (const entry of entries) {
    const overdue = (today - Date.parse(entry.text('dueDate'))) / DAY_MS;
    const period = overdue <= 0 ? 0 : Math.min(Math.ceil(overdue / PERIOD_DAYS), 3);
    periods[period]!.push(sign * entry.number('remainingAmount'));
  }
  const [currentAmount, period1Amount, period2Amount, period3Amount] = periods.map((amounts) => sum(...amounts)) as [
    number,
    number,
    number,
    number,
  ];
  return {
    balanceDue: sum(currentAmount, period1Amount, period2Amount, period3Amount),
    currentAmount,
    period1Amount,
    period2Amount,
    period3Amount,
  };
}

/** The overdue part of a customer's balance. */
export function overdueAmount(entries: readonly Row[], now: number): number {
  const today = dayOf(now);
  const due = entries.filter((entry) => entry.text('dueDate') < today);
  return sum(...due.map((entry) => entry.number('remainingAmount')));
}
