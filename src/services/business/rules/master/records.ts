/** Rules for records that documents and journals refer to. */
import { NO_DATE, type Row } from '../../records/row.ts';
import { parseFormula } from '../date-formula.ts';
import { invalid, refusal } from '../refuse.ts';
import type { Draft, TableRules } from '../types.ts';
import { removeUnlessInUse, USES } from './in-use.ts';

function requireNotNegative(draft: Draft, ...fields: readonly string[]): void {
  for (const field of fields) if ((draft[field] as number) < 0) throw invalid(field, 'it cannot be less than 0');
}

function requireFormulas(draft: Draft): void {
  for (const field of ['dueDateCalculation', 'discountDateCalculation']) {
    const formula = draft[field] as string;
    if (parseFormula(formula) === undefined) {
      throw invalid(field, `'${formula}' is not a date formula; use for example 30D, 1M+8D or CM`);
    }
    draft[field] = formula.toUpperCase();
  }
  const percent = draft.discountPercent as number;
  if (percent < 0 || percent > 100) throw invalid('discountPercent', 'it must be from 0 to 100');
}

/** The display name of an employee consists of all given names. */
function fillName(draft: Draft): void {
  const names = ['givenName', 'middleName', 'surname'].map((field) => (draft[field] as string).trim());
  draft.displayName = names.filter((name) => name !== '').join(' ');
  const [from, to] = [draft.employmentDate as string, draft.terminationDate as string];
  if (to !== NO_DATE && from !== NO_DATE && to < from) throw invalid('terminationDate', 'it is before the employment');
}

function requireItem(draft: Draft, before?: Row): void {
  requireNotNegative(draft, 'unitPrice', 'unitCost');
  if (before && draft.type !== before.get('type') && before.number('inventory') !== 0) {
    throw refusal(
      `You cannot change Type because there are one or more ledger entries for the item ${before.text('number')}.`,
      'type',
    );
  }
}

/** The same check for insert and modify. */
const always = (check: (draft: Draft, before?: Row) => void): TableRules => ({
  insert: (_books, draft) => check(draft),
  modify: (_books, draft, before) => check(draft, before),
});

const CHECKS: Readonly<Record<string, TableRules>> = {
  customer: always((draft) => requireNotNegative(draft, 'creditLimit')),
  item: always(requireItem),
  employee: always(fillName),
  paymentTerm: always(requireFormulas),
  currency: always((draft) => requireNotNegative(draft, 'amountRoundingPrecision')),
};

export const MASTER_RULES: Readonly<Record<string, TableRules>> = Object.fromEntries(
  [...new Set([...Object.keys(CHECKS), ...Object.keys(USES)])].map((table) => [
    table,
    { ...CHECKS[table], remove: removeUnlessInUse },
  ]),
);
