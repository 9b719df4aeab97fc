/** The types of the language. A `variant` holds a value of one of the other types, known only per row. */
export type ScalarType = 'int' | 'decimal' | 'double' | 'boolean' | 'date' | 'text' | 'blank' | 'variant';

/**
 * A value as SQL. BLANK is NULL for every type. An `int` is a bigint, a `decimal` a bigint of ten-thousandths, a `boolean` a bigint 0 or 1
 * (never a condition), a `date` a double of days since 1899-12-30, a `variant` a text whose first letter gives the type of the rest.
 */
export interface Operand {
  readonly sql: string;
  readonly type: ScalarType;
}

/** The SQL engines, whose dialects differ. */
export type Engine = 'sqlite' | 'postgres';
