import type { Cell, Rows } from '../results/collections.ts';
import { aggregate, isNumeric } from './aggregate.ts';

export type AlertState = 'UNKNOWN' | 'OK' | 'TRIGGERED' | 'ERROR';

export interface Column {
  readonly name: string;
  /** Absent: the value of the first row. */
  readonly aggregation?: string | undefined;
}

export interface AlertRule {
  readonly source: Column;
  readonly operator: string;
  readonly threshold?: { readonly column: Column } | { readonly value: Cell } | undefined;
  /** State for an empty result. */
  readonly empty: AlertState;
}

/** `value` is that of the source; `problem` is the reason if no decision is possible. */
export type Decision =
  | { readonly state: AlertState; readonly value?: Cell; readonly problem?: undefined }
  | { readonly problem: string };

/** Decides whether the rows of a query trigger an alert. */
export function decide({ source, operator, threshold, empty }: AlertRule, found: Rows): Decision {
  if (found.rows.length === 0) return { state: empty };
  const value = cellOf(source, found);
  if (value === undefined) return { problem: `The result has no column '${source.name.slice(0, 200)}'.` };
  if (operator === 'IS_NULL') return { state: value === null ? 'TRIGGERED' : 'OK', value };
  if (operator === 'IS_NOT_NULL') return { state: value === null ? 'OK' : 'TRIGGERED', value };
  if (!threshold) return { problem: 'The alert has no threshold.' };
  const bound = 'column' in threshold ? cellOf(threshold.column, found) : threshold.value;
  if (bound === undefined) return { problem: 'The result has no column that is named as the threshold.' };
  // As in SQL, a comparison with null is never true.
  if (value === null || bound === null) return { state: 'OK', value };
  const order = orderOf(value, bound);
  if (order === undefined)
    return { problem: `'${String(value).slice(0, 100)}' cannot be compared with the threshold.` };
  return { state: holds(operator, order) ? 'TRIGGERED' : 'OK', value };
}

function cellOf({ name, aggregation }: Column, { columns, rows }: Rows): Cell | undefined {
  const exact = columns.indexOf(name);
  const index = exact >= 0 ? exact : columns.findIndex((each) => each.toLowerCase() === name.toLowerCase());
  if (index < 0) return undefined;
  if (aggregation === undefined) return rows[0]?.[index];
  return aggregate(
    aggregation,
    rows.map((row) => row[index] ?? null),
  );
}

/** Negative, 0 or positive; undefined if the two values have no common order. Texts that are numbers compare with numbers numerically. */
function orderOf(one: Exclude<Cell, null>, other: Exclude<Cell, null>): number | undefined {
  if (typeof one === 'string' && typeof other === 'string') return one === other ? 0 : one < other ? -1 : 1;
  if (typeof one === 'boolean' || typeof other === 'boolean') {
    const same = String(one).toLowerCase() === String(other).toLowerCase();
    return same ? 0 : typeof one === typeof other ? Number(one) - Number(other) : undefined;
  }
  return isNumeric(one) && isNumeric(other) ? Number(one) - Number(other) : undefined;
}

function holds(operator: string, order: number): boolean {
  switch (operator) {
    case 'GREATER_THAN':
      return order > 0;
    case 'GREATER_THAN_OR_EQUAL':
      return order >= 0;
    case 'LESS_THAN':
      return order < 0;
    case 'LESS_THAN_OR_EQUAL':
      return order <= 0;
    case 'NOT_EQUAL':
      return order !== 0;
    default:
      return order === 0;
  }
}
