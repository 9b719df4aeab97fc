import { TOO_LARGE_DECIMAL } from './library/failures.ts';
import { blank, bound, call, failure, flag } from './sql.ts';
import type { Engine, Operand, ScalarType } from './types.ts';

/**
 * Converts a value to another type, as the language implicitly converts operands and arguments. BLANK stays BLANK. Conversions that can
 * apply to every number of a column are plain SQL, which engines can use in aggregates; conversions of texts, of dates to text, and of
 * variants call library functions.
 */
export function convert(operand: Operand, to: ScalarType, engine: Engine): Operand {
  const { sql, type } = operand;
  if (type === to || to === 'blank') return operand;
  if (type === 'blank') return { sql: blank(to, engine), type: to };
  return { sql: CONVERSIONS[to](sql, type, engine), type: to };
}

type Present = Exclude<ScalarType, 'blank'>;
type Conversion = (sql: string, from: Present, engine: Engine) => string;

const CONVERSIONS: Readonly<Record<Present, Conversion>> = {
  double: (sql, from, engine) => toDouble(sql, from, engine, 'number'),
  date: (sql, from, engine) => toDouble(sql, from, engine, 'date'),
  int: toInt,
  decimal: toDecimal,
  boolean: toBoolean,
  text: toText,
  variant: toVariant,
};

const real = (sql: string, engine: Engine): string =>
  engine === 'postgres' ? `(${sql})::float8` : `CAST(${sql} AS REAL)`;

function toDouble(sql: string, from: Present, engine: Engine, wanted: 'number' | 'date'): string {
  switch (from) {
    case 'int':
    case 'boolean':
      return real(sql, engine);
    case 'decimal':
      return engine === 'postgres' ? `((${sql})::float8 / 10000)` : `(${sql} / 10000.0)`;
    case 'text':
      return call(engine, wanted, sql);
    case 'variant':
      return call(engine, wanted === 'date' ? 'variant_date' : 'variant_double', sql);
    default:
      return sql;
  }
}

/** The nearest integer; halves round away from zero. */
function toInt(sql: string, from: Present, engine: Engine): string {
  switch (from) {
    case 'decimal':
      return bound([sql], (units) => `${units} / 10000 + ${units} % 10000 / 5000`);
    case 'double':
    case 'date':
      return call(engine, 'double_int', sql);
    case 'text':
      return call(engine, 'text_int', sql);
    case 'variant':
      return call(engine, 'variant_int', sql);
    default:
      return sql;
  }
}

const LARGEST_WHOLE = 922_337_203_685_477;

function toDecimal(sql: string, from: Present, engine: Engine): string {
  switch (from) {
    case 'boolean':
      return `(${sql} * 10000)`;
    case 'double':
    case 'date':
      return call(engine, 'double_decimal', sql);
    case 'text':
      return call(engine, 'text_decimal', sql);
    case 'variant':
      return call(engine, 'variant_decimal', sql);
    default:
      // On overflow SQLite would continue with a double.
      return bound(
        [sql],
        (value) =>
          `CASE WHEN ${value} BETWEEN -${LARGEST_WHOLE} AND ${LARGEST_WHOLE} THEN ${value} * 10000 WHEN ${value} IS NOT NULL THEN ${failure(engine, TOO_LARGE_DECIMAL, value, 'bigint')} END`,
      );
  }
}

function toBoolean(sql: string, from: Present, engine: Engine): string {
  if (from === 'text') return call(engine, 'boolean', sql);
  if (from === 'variant') return call(engine, 'variant_boolean', sql);
  return flag(engine, `${sql} <> 0`);
}

/** Renders values as the `&` operator does. */
function toText(sql: string, from: Present, engine: Engine): string {
  switch (from) {
    case 'int':
      return engine === 'postgres' ? `(${sql})::text` : `CAST(${sql} AS TEXT)`;
    case 'decimal':
      return call(engine, 'decimal_text', sql);
    case 'boolean':
      return `CASE ${sql} WHEN 1 THEN 'True' WHEN 0 THEN 'False' END`;
    case 'date':
      return call(engine, 'date_text', sql);
    case 'variant':
      return call(engine, 'variant_text', sql);
    default:
      return call(engine, 'double_text', sql);
  }
}

const LETTERS = { int: 'i', decimal: 'c', boolean: 'b', text: 's' } as const;

function toVariant(sql: string, from: Present, engine: Engine): string {
  if (from === 'double' || from === 'date') {
    return call(engine, 'variant_of_double', from === 'date' ? "'d'" : "'r'", sql);
  }
  return from === 'variant' ? sql : `('${LETTERS[from]}' || ${sql})`;
}

/**
 * SQL that returns -1, 0 or 1, never NULL: numbers and dates sort before texts, texts before booleans. BLANK counts as zero, as empty text
 * or as FALSE, depending on the other value.
 */
export function compareVariants(a: Operand, b: Operand, engine: Engine): string {
  return call(engine, 'compare', convert(a, 'variant', engine).sql, convert(b, 'variant', engine).sql);
}

/** A text that is equal for equal values, whatever their types; used to group by variants. */
export function variantKey(operand: Operand, engine: Engine): string {
  return call(engine, 'variant_key', convert(operand, 'variant', engine).sql);
}
