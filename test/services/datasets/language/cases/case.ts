import type { Json } from '../evaluator/values.ts';
import type { SampleName } from '../sample.ts';

/** A query with its result, computed by hand from the facts. Names begin with the number of the example in the facts. */
export type Case = RowsCase | ErrorCase;

export interface RowsCase {
  readonly name: string;
  /** Default: `sample`. */
  readonly model?: SampleName;
  readonly query: string;
  /** As in responses of executeQueries with nulls included; members are in column order. */
  readonly rows: readonly Readonly<Record<string, Json>>[];
  /** True if the query defines the order of rows. */
  readonly ordered?: boolean;
  /** True if the evaluator cannot compute it, because it knows types of values but not of expressions. */
  readonly compilerOnly?: boolean;
}

export interface ErrorCase {
  readonly name: string;
  readonly model?: SampleName;
  readonly query: string;
  readonly error: RegExp;
  /** Line and column, counted from 1. */
  readonly at?: readonly [line: number, column: number];
  /** True if the evaluator does not detect this error. */
  readonly compilerOnly?: boolean;
}

type Options = Pick<RowsCase, 'model' | 'ordered' | 'compilerOnly'>;

/** A scalar expression: one row with one column. */
export const value = (name: string, expression: string, expected: Json, model: SampleName = 'sample'): Case => ({
  name: `${name}: ${expression}`,
  model,
  query: `EVALUATE ROW("x", ${expression})`,
  rows: [{ '[x]': expected }],
});

/** A table expression, or a whole query if it contains EVALUATE. */
export const table = (
  name: string,
  expression: string,
  columns: readonly string[],
  rows: readonly (readonly Json[])[],
  options: Options = {},
): Case => ({
  name: `${name}: ${expression}`,
  query: queryOf(expression),
  rows: rows.map((row) => Object.fromEntries(columns.map((column, place) => [column, row[place]!]))),
  ...options,
});

/** The rows of a table that an expression keeps, identified by the values of one column. */
export const kept = (
  name: string,
  expression: string,
  column: string,
  values: readonly Json[],
  model: SampleName = 'sample',
): Case => ({
  name: `${name}: ${expression}`,
  model,
  query: `EVALUATE SELECTCOLUMNS(${expression}, ${column})`,
  rows: values.map((each) => ({ [column]: each })),
});

/** A query that is rejected; a scalar expression is wrapped in ROW. */
export const refused = (
  name: string,
  expression: string,
  error: RegExp,
  options: Pick<ErrorCase, 'at' | 'model' | 'compilerOnly'> = {},
): Case => ({ name: `${name}: ${expression}`, query: queryOf(expression), error, ...options });

const queryOf = (expression: string): string =>
  /\bEVALUATE\b/i.test(expression) ? expression : `EVALUATE ${expression}`;

/** Matches messages about a duplicate name or column. */
export const DUPLICATE = /duplicate|already|twice|more than once|same name/i;
