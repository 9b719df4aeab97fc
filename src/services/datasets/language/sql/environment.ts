import type { Column } from '../catalogue.ts';
import type { Binding, RowScope } from '../plan/types.ts';
import type { ScalarType } from '../scalar/types.ts';
import type { Relation, RelationColumn, Scan } from './relation.ts';

/** SQL of a scalar value. */
export interface ScalarSql {
  readonly sql: string;
  readonly type: ScalarType;
  /** The SQL by which texts are compared, if a column holds it. */
  readonly key?: string;
  readonly nullable: boolean;
  /** True if the value is blank for every group that contains no rows of the model; see `summarizeColumns`. */
  readonly strict: boolean;
  /** The value, if it is a constant. */
  readonly constant?: bigint | number | string;
}

/** A filter of the filter context: a row is visible if its values of `columns` are among the tuples. */
export interface ContextFilter {
  readonly columns: readonly Column[];
  /** Set if the filter is a row of an outer relation: the column must equal that row's value. */
  readonly row?: { readonly relation: Relation; readonly index: number };
  /** The filter as a condition on a scan that reaches all columns. Returns undefined if it cannot be written as one. */
  direct?(scan: Scan): string | undefined;
  /** The tuples as rows, with one column per entry of `columns`, of the same lineage. */
  readonly tuples: () => Relation;
  /** Set if only the tuples of one group count: pairs of a tuple column and the group column that it must equal. */
  matches?(tuples: Relation): readonly (readonly [RelationColumn, RelationColumn])[];
  /** The relation that contains that group. */
  readonly group?: Relation;
  /**
   * Set if the filter belongs to filters that act as one filter on the existing combinations, see `coalesced` in `summarize-columns.ts`.
   */
  readonly combined?: CombinedFilter;
}

/**
 * Groups and filters on one table in SUMMARIZECOLUMNS. When one column loses its filter, the others keep the restriction that the removed
 * filter had on them.
 */
export interface CombinedFilter {
  readonly columns: readonly Column[];
  /** The restriction on the remaining columns after some are removed. */
  restrictedTo(remaining: readonly Column[]): ContextFilter | undefined;
}

/** The context in which an expression is compiled. */
export interface Environment {
  readonly rows: ReadonlyMap<RowScope, Relation>;
  /** The surrounding relations, innermost last. */
  readonly nest: readonly Relation[];
  /** A table variable is compiled again for each use, in the environment of its declaration. */
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
