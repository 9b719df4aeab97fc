import fc from 'fast-check';
import type { ColumnType } from '../../../../../src/kernel/store/index.ts';
import type { Model, ModelTable } from '../../../../../src/services/datasets/language/model.ts';

/** A generator of query text. */
export type Text = fc.Arbitrary<string>;

/** Decimals are a separate kind: the type of a quotient depends on whether an operand is one, which the evaluator knows only for values. */
export type Kind = 'number' | 'decimal' | 'text' | 'boolean' | 'date';

/** A column that an expression can name: of a current row or of the model. */
export interface Field {
  readonly name: string;
  readonly kind: Kind;
  /** The values come from a model column, even if the column is renamed. */
  readonly lineage?: boolean;
}

/** Columns of a table expression. `base` is the model table whose complete rows these are. */
export interface Columns {
  readonly fields: readonly Field[];
  readonly base: string | undefined;
  /** The table has a model column and can be used as a filter. */
  readonly filters: boolean;
}

export interface TableText extends Columns {
  readonly text: string;
}

export interface Measure {
  readonly name: string;
  readonly table: string;
  /** The value does not depend on the order in which numbers are added. */
  readonly exact: boolean;
}

/** The names available at a place in a query, and the remaining depth. */
export interface Environment {
  readonly model: Model;
  readonly measures: readonly Measure[];
  readonly variables: readonly Field[];
  /** Table variables. */
  readonly tables: readonly TableText[];
  /** Current rows, innermost last. */
  readonly rows: readonly Columns[];
  readonly depth: number;
  /** Numbers must be exact here, because they are compared or added up. */
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

/** Inside CALCULATE there are no current rows, because they have become filters. */
export const withoutRows = (environment: Environment): Environment => ({ ...environment, rows: [] });

/** The columns of current rows; columns of inner rows hide columns of the same name. */
export function currentFields({ rows }: Environment): readonly Field[] {
  const fields = new Map<string, Field>();
  for (const row of rows) for (const field of row.fields) fields.set(field.name, field);
  return [...fields.values()];
}

/** A new variable with a unique name. */
export const withVariableOf = (environment: Environment, kind: Kind): { name: string; inner: Environment } => {
  const name = `v${environment.variables.length}`;
  return { name, inner: { ...environment, variables: [...environment.variables, { name, kind }] } };
};

export const withTableOf = (environment: Environment, columns: Columns): { name: string; inner: Environment } => {
  const name = `t${environment.tables.length}`;
  return { name, inner: { ...environment, tables: [...environment.tables, { ...columns, text: name }] } };
};

/** Concatenates texts. */
export const join = (...parts: readonly (string | Text)[]): Text =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((texts) => texts.join(''));

/** Chooses an alternative by weight. Alternatives are created lazily, because they are recursive; shrinks towards the first. */
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
