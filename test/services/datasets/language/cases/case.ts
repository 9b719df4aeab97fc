import type { Json } from '../evaluator/values.ts';
import type { SampleName } from '../sample.ts';

/** A query with its answer, computed by hand from the facts. Names begin with the number of the example that the facts have. */
export type Case = RowsCase | ErrorCase;

export interface RowsCase {
  readonly name: string;
  /** `sample` unless given. */
  readonly model?: SampleName;
  readonly query: string;
  /** As executeQueries answers with nulls included; the order of members is that of the columns. */
  readonly rows: readonly Readonly<Record<string, Json>>[];
  /** The query says in which order rows come. */
  readonly ordered?: boolean;
  /** The evaluator knows types of values, not of expressions. */
  readonly compilerOnly?: boolean;
}

export interface ErrorCase {
  readonly name: string;
  readonly model?: SampleName;
  readonly query: string;
  readonly error: RegExp;
  /** Line and column, from 1. */
  readonly at?: readonly [line: number, column: number];
  /** The evaluator does not look for this mistake. */
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

/** A table expression, or a query of its own if it has an EVALUATE. */
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

/** Which rows of a table an expression keeps, by the values of one column. */
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

/** A query that is refused; a scalar expression is put into a row. */
export const refused = (
  name: string,
  expression: string,
  error: RegExp,
  options: Pick<ErrorCase, 'at' | 'model' | 'compilerOnly'> = {},
): Case => ({ name: `${name}: ${expression}`, query: queryOf(expression), error, ...options });

const queryOf = (expression: string): string =>
  /\bEVALUATE\b/i.test(expression) ? expression : `EVALUATE ${expression}`;

/** The message about a name or a column that is there already. */
export const DUPLICATE = /duplicate|already|twice|more than once|same name/i;
