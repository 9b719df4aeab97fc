import fc from 'fast-check';
import type { ColumnType } from '../../../../../src/kernel/store/index.ts';
import type { Model, ModelTable } from '../../../../../src/services/datasets/language/model.ts';

/** A piece of a query. */
export type Text = fc.Arbitrary<string>;

/** Decimals are apart: the type of a quotient depends on whether an operand is one, which the evaluator knows of values only. */
export type Kind = 'number' | 'decimal' | 'text' | 'boolean' | 'date';

/** What an expression can name: a column of a current row, or a column of the model. */
export interface Field {
  readonly name: string;
  readonly kind: Kind;
  /** Its values are those of a column of the model, also where it has another name. */
  readonly lineage?: boolean;
}

/** Columns of a table expression. `base` is the table of the model whose rows these are, all columns of it included. */
export interface Columns {
  readonly fields: readonly Field[];
  readonly base: string | undefined;
  /** It has a column of the model, and can filter. */
  readonly filters: boolean;
}

export interface TableText extends Columns {
  readonly text: string;
}

export interface Measure {
  readonly name: string;
  readonly table: string;
  /** Its value does not depend on the order in which numbers are added. */
  readonly exact: boolean;
}

/** What may be used at a place of a query, and how much deeper it may go. */
export interface Environment {
  readonly model: Model;
  readonly measures: readonly Measure[];
  readonly variables: readonly Field[];
  /** Variables that are tables. */
  readonly tables: readonly TableText[];
  /** Current rows, the innermost last. */
  readonly rows: readonly Columns[];
  readonly depth: number;
  /** Numbers have to be exact here, since they are compared or added up. */
  readonly exact: boolean;
}

const KINDS: Readonly<Record<ColumnType, Kind>> = {
  int64: 'number',
  double: 'number',
  decimal: 'decimal',
  text: 'text',
  boolean: 'boolean',
  datetime: 'date',
};

export const fieldsOf = (table: ModelTable): readonly Field[] =>
  table.columns.map((column) => ({
    name: `${table.name}[${column.name}]`,
    kind: KINDS[column.type],
    lineage: true,
  }));

export const allFields = ({ model }: Environment): readonly Field[] => model.tables.flatMap(fieldsOf);

/** Tables on the one side of a table, over any number of relationships. */
export function ancestorsOf(model: Model, table: string): readonly ModelTable[] {
  return model.relationships
    .filter(({ from }) => from.table === table)
    .flatMap(({ to }) => [model.tables.find(({ name }) => name === to.table)!, ...ancestorsOf(model, to.table)]);
}

export const deeper = (environment: Environment): Environment => ({ ...environment, depth: environment.depth - 1 });

export const exactly = (environment: Environment): Environment => ({ ...environment, exact: true });

export const withRowOf = (environment: Environment, columns: Columns): Environment => ({
  ...environment,
  rows: [...environment.rows, columns],
});

/** What CALCULATE evaluates has no rows: they are filters then. */
export const withoutRows = (environment: Environment): Environment => ({ ...environment, rows: [] });

/** The columns of current rows; those of inner rows hide others of the same name. */
export function currentFields({ rows }: Environment): readonly Field[] {
  const fields = new Map<string, Field>();
  for (const row of rows) for (const field of row.fields) fields.set(field.name, field);
  return [...fields.values()];
}

/** A new name for a variable; variables further out have other names. */
export const withVariableOf = (environment: Environment, kind: Kind): { name: string; inner: Environment } => {
  const name = `v${environment.variables.length}`;
  return { name, inner: { ...environment, variables: [...environment.variables, { name, kind }] } };
};

export const withTableOf = (environment: Environment, columns: Columns): { name: string; inner: Environment } => {
  const name = `t${environment.tables.length}`;
  return { name, inner: { ...environment, tables: [...environment.tables, { ...columns, text: name }] } };
};

/** Pieces one after another. */
export const join = (...parts: readonly (string | Text)[]): Text =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((texts) => texts.join(''));

/** One of several, so often as its weight says. Made when chosen, since they contain each other; shrinks towards the first. */
export function choose<T>(
  ...alternatives: readonly (readonly [weight: number, make: () => fc.Arbitrary<T>])[]
): fc.Arbitrary<T> {
  const possible = alternatives.filter(([weight]) => weight > 0);
  const total = possible.reduce((sum, [weight]) => sum + weight, 0);
  return fc.nat({ max: total - 1 }).chain((number) => {
    let left = number;
    for (const [weight, make] of possible) {
      if (left < weight) return make();
      left -= weight;
    }
    throw new Error('weights add up to their total');
  });
}

export const oneOf = (names: readonly string[]): Text => fc.constantFrom(...names);

export const namesOf = (fields: readonly Field[], ...kinds: readonly Kind[]): readonly string[] =>
  fields.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
