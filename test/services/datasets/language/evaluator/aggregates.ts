import type { Call } from '../../../../../src/services/datasets/language/syntax/ast.ts';
import { calculate } from './arithmetic.ts';
import { visibleRows } from './filters.ts';
import { columnArgument, type Evaluator, required, type Scope, withRow } from './scope.ts';
import { distinctRows, type Table } from './tables.ts';
import { EvaluationError, isFixed, sortOrder, toNumber, type Value } from './values.ts';

const COLUMN_FORMS: Readonly<Record<string, (values: readonly Value[]) => Value>> = {
  SUM: sum,
  AVERAGE: average,
  MIN: least,
  MAX: greatest,
  COUNT: (values) => count(values.map((value) => refuse(value, 'COUNT', 'boolean')).filter(isNotBlank)),
  COUNTA: (values) => count(values.filter(isNotBlank)),
  COUNTBLANK: (values) => count(values.filter((value) => value === null || value === '')),
  DISTINCTCOUNT: (values) => count(distinctRows(values.map((value) => [value]))),
};

const ROW_FORMS: Readonly<Record<string, (values: readonly Value[]) => Value>> = {
  SUMX: sum,
  AVERAGEX: average,
  MINX: least,
  MAXX: greatest,
  COUNTX: COLUMN_FORMS.COUNT!,
  COUNTAX: COLUMN_FORMS.COUNTA!,
};

/** MIN and MAX with two arguments are scalar functions. */
export const isAggregate = ({ name, args }: Call): boolean =>
  name === 'COUNTROWS' || name in ROW_FORMS || (name in COLUMN_FORMS && args.length === 1);

export function aggregate(evaluator: Evaluator, call: Call, scope: Scope): Value {
  const [first, second] = call.args;
  if (call.name === 'COUNTROWS') return count(evaluator.table(required(first, call.name), scope).rows);
  const overColumn = COLUMN_FORMS[call.name];
  if (overColumn) {
    const { table, column } = columnArgument(scope, first);
    return overColumn(valuesOf(visibleRows(scope.filters, table, { blankRow: false }), column.lineage!));
  }
  const table = evaluator.table(required(first, call.name), scope);
  const value = required(second, call.name);
  const found = table.rows.map((row) => evaluator.scalar(value, withRow(scope, table.columns, row)));
  return ROW_FORMS[call.name]!(call.name === 'MINX' || call.name === 'MAXX' ? comparable(call, found) : found);
}

/** Of mixed types only the numbers, unless the third argument is TRUE. */
function comparable({ args: [, , third] }: Call, values: readonly Value[]): readonly Value[] {
  const known = values.filter(isNotBlank);
  const isMixed = new Set(known.map((value) => typeof value === 'string')).size > 1;
  if (!isMixed || (third?.kind === 'literal' && third.value === true)) return values;
  return values.filter((value) => typeof value !== 'string');
}

function valuesOf({ columns, rows }: Table, lineage: string): readonly Value[] {
  const place = columns.findIndex((column) => column.lineage === lineage);
  return rows.map((row) => row[place]!);
}

const isNotBlank = (value: Value): boolean => value !== null;

/** Never 0. */
const count = (of: readonly unknown[]): Value => (of.length === 0 ? null : BigInt(of.length));

function refuse(value: Value, called: string, ...types: readonly string[]): Value {
  if (types.includes(typeof value))
    throw new EvaluationError(`the function ${called} cannot work with values of type ${typeof value}`);
  return value;
}

function sum(values: readonly Value[]): Value {
  return values.reduce((left, right) => calculate('+', left, refuse(right, 'SUM', 'string', 'boolean')), null);
}

function average(values: readonly Value[]): Value {
  const known = values.filter(isNotBlank);
  const total = sum(known);
  if (isFixed(total)) return calculate('/', total, BigInt(known.length));
  return total === null ? null : Number(toNumber(total)) / known.length;
}

function least(values: readonly Value[]): Value {
  const known = values.filter(isNotBlank).map((value) => refuse(value, 'MIN', 'boolean'));
  return known.reduce((best, value) => (best === null || sortOrder(value, best) < 0 ? value : best), null);
}

function greatest(values: readonly Value[]): Value {
  const known = values.filter(isNotBlank).map((value) => refuse(value, 'MAX', 'boolean'));
  return known.reduce((best, value) => (best === null || sortOrder(value, best) > 0 ? value : best), null);
}
