import type { TypedDialect } from './dialect.ts';
import { DECIMAL_UNITS } from './plain-text.ts';
import type { ColumnType } from './types.ts';

/** SQL that changes the type of a column. */
export interface Conversion {
  /** Computes the new value. */
  readonly value: string;
  /** True for values that the new type cannot represent exactly; undefined if it represents all of them. */
  readonly refuses?: string;
}

const EXACT_DOUBLE = 2 ** 53;
/** A double has at least 15 significant digits: decimals with fewer are unchanged after conversion to a double and back. */
const EXACT_DECIMAL = 10 ** 15 - 1;
/** The greatest whole part of a decimal, which stores ten-thousandths. */
const GREATEST_DECIMAL = 922_337_203_685_477;

const beyond = (value: string, most: number): string => `${value} NOT BETWEEN -${most} AND ${most}`;

/** Returns the conversion between two column types; undefined if no value can be converted. An absent value stays absent. */
export function conversionOf(
  dialect: TypedDialect,
  from: ColumnType,
  to: ColumnType,
  value: string,
): Conversion | undefined {
  if (from === to) return { value };
  if (to === 'text') return { value: dialect.plainText(from, value) };
  return CONVERSIONS[from]?.[to]?.(value, dialect);
}

type Convert = (value: string, dialect: TypedDialect) => Conversion;

const CONVERSIONS: Partial<Record<ColumnType, Partial<Record<ColumnType, Convert>>>> = {
  int64: {
    decimal: (v) => ({ value: `${v} * ${DECIMAL_UNITS}`, refuses: beyond(v, GREATEST_DECIMAL) }),
    double: (v, dialect) => ({ value: dialect.toDouble(v), refuses: beyond(v, EXACT_DOUBLE) }),
    boolean: (v) => ({ value: v, refuses: `${v} NOT IN (0, 1)` }),
  },
  decimal: {
    int64: (v) => ({ value: `${v} / ${DECIMAL_UNITS}`, refuses: `${v} % ${DECIMAL_UNITS} <> 0` }),
    double: (v, dialect) => ({
      value: `${dialect.toDouble(v)} / ${DECIMAL_UNITS}`,
      refuses: beyond(v, EXACT_DECIMAL),
    }),
    boolean: (v) => ({ value: `${v} / ${DECIMAL_UNITS}`, refuses: `${v} NOT IN (0, ${DECIMAL_UNITS})` }),
  },
  double: {
    int64: (v, dialect) => ({
      value: dialect.toWhole(v),
      refuses: `CASE WHEN ${beyond(v, EXACT_DOUBLE)} THEN true ELSE ${dialect.toWhole(v)} <> ${v} END`,
    }),
    decimal: (v, dialect) => {
      const units = dialect.rounded(`${v} * ${DECIMAL_UNITS}`);
      const tooLarge = beyond(v, Math.floor(EXACT_DECIMAL / DECIMAL_UNITS));
      const back = `${dialect.toDouble(units)} / ${DECIMAL_UNITS}`;
      return { value: units, refuses: `CASE WHEN ${tooLarge} THEN true ELSE ${back} <> ${v} END` };
    },
    boolean: (v, dialect) => ({ value: dialect.toWhole(v), refuses: `${v} NOT IN (0, 1)` }),
  },
  boolean: {
    int64: (v) => ({ value: v }),
    decimal: (v) => ({ value: `${v} * ${DECIMAL_UNITS}` }),
    double: (v, dialect) => ({ value: dialect.toDouble(v) }),
  },
};
