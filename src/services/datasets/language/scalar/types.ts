/** The types that a value of the language can have. A value of type `variant` has one of the others, which is found out for each row. */
export type ScalarType = 'int' | 'decimal' | 'double' | 'boolean' | 'date' | 'text' | 'blank' | 'variant';

/**
 * A value as SQL. BLANK is NULL whatever the type. An `int` is a bigint, a `decimal` a bigint of ten-thousandths, a `boolean` a bigint 0 or 1 (never a
 * condition), a `date` a double of days since 1899-12-30, a `variant` a text whose first letter is the type of the rest.
 */
export interface Operand {
  readonly sql: string;
  readonly type: ScalarType;
}

/** Where the SQL of the engines differs. */
export type Engine = 'sqlite' | 'postgres';
