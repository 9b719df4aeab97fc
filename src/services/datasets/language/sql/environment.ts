import type { Column } from '../catalogue.ts';
import type { Binding, RowScope } from '../plan/types.ts';
import type { ScalarType } from '../scalar/types.ts';
import type { Relation, RelationColumn, Scan } from './relation.ts';

/** A value in a statement. */
export interface ScalarSql {
  readonly sql: string;
  readonly type: ScalarType;
  /** What texts are compared by, where there is a column for it. */
  readonly key?: string;
  readonly nullable: boolean;
  /** Blank wherever no row of the model is in the group that it is computed for; see `groups.ts`. */
  readonly strict: boolean;
  /** The value itself, where it is a constant. */
  readonly constant?: bigint | number | string;
}

/** A filter of the filter context: rows are seen whose values of `columns` are among its tuples. */
export interface ContextFilter {
  readonly columns: readonly Column[];
  /** Set where the filter is a row of an outer relation: the column must have the value of that row. */
  readonly row?: { readonly relation: Relation; readonly index: number };
  /** The filter as a condition on a scan that reaches all columns; undefined where it cannot be one. */
  direct?(scan: Scan): string | undefined;
  /** Its tuples as rows, with a column of the lineage of each of `columns`. */
  readonly tuples: () => Relation;
  /** Set where only the tuples of a group count: columns of them, and those of the group that they have to equal. */
  matches?(tuples: Relation): readonly (readonly [RelationColumn, RelationColumn])[];
  /** The relation of that group. */
  readonly group?: Relation;
  /** Filters that count as one filter of the combinations that exist, see `groups.ts`. */
  readonly together?: Together;
}

/** Groups and filters of one table of SUMMARIZECOLUMNS: when one column loses its filter, the others are left with what it allowed. */
export interface Together {
  readonly columns: readonly Column[];
  /** What is left for the other columns once some are removed. */
  thinned(remaining: readonly Column[]): ContextFilter | undefined;
}

/** Where an expression is compiled. */
export interface Environment {
  readonly rows: ReadonlyMap<RowScope, Relation>;
  /** The relations around this place, the innermost last. */
  readonly nest: readonly Relation[];
  /** A table is compiled anew wherever it is used, as if it stood where it was declared. */
  readonly variables: ReadonlyMap<Binding, ScalarSql | Environment>;
  readonly filters: readonly ContextFilter[];
}

export const ROOT: Environment = { rows: new Map(), nest: [], variables: new Map(), filters: [] };

export const isScalarSql = (value: ScalarSql | Environment): value is ScalarSql => 'sql' in value;

export function withRows(environment: Environment, scope: RowScope, relation: Relation): Environment {
  const rows = new Map(environment.rows).set(scope, relation);
  return { ...environment, rows, nest: [...environment.nest, relation] };
}

export const withFilters = (environment: Environment, filters: readonly ContextFilter[]): Environment => ({
  ...environment,
  filters,
});

export function withVariable(environment: Environment, binding: Binding, value: ScalarSql | Environment): Environment {
  return { ...environment, variables: new Map(environment.variables).set(binding, value) };
}
