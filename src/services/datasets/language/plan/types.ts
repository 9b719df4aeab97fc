import type { Column, Relationship, Table } from '../catalogue.ts';
import type { Position } from '../errors.ts';
import type { ScalarFunction } from '../scalar/functions.ts';
import type { ScalarType } from '../scalar/types.ts';
import type { BinaryOperator } from '../syntax/ast.ts';

/**
 * A bound query with all names resolved and all types known, before it is SQL. A plan does not depend on the context in which it is
 * evaluated: the same plan of a measure is compiled for each use.
 */
export type Scalar =
  | Constant
  | ScopeColumn
  | Related
  | ScalarVariable
  | ScalarLet
  | Arithmetic
  | Negation
  | Concatenation
  | Comparison
  | Logic
  | Not
  | In
  | Choice
  | Switch
  | Coalesce
  | IsBlank
  | Divide
  | FunctionCall
  | Aggregate
  | Calculate
  | TableValue
  | IsEmpty;

export type TablePlan =
  | BaseTable
  | Values
  | Distinct
  | All
  | Filter
  | Projection
  | Summarize
  | SummarizeColumns
  | TopN
  | Union
  | CrossJoin
  | Constructed
  | CalculateTable
  | TableVariable
  | TableLet;

/** A column of a table expression. */
export interface PlanColumn {
  readonly name: string;
  readonly type: ScalarType;
  /** The model column that the values come from; a filter on the column filters that model column. */
  readonly lineage: Column | undefined;
  /** The column's name in results: `Table[Column]` or `[Name]`. */
  readonly key: string;
}

/** The rows of an iterator (a row context). References name the scope that they belong to. */
export interface RowScope {
  readonly columns: readonly PlanColumn[];
  /** Set if the rows are complete rows of a model table, so that related columns can be found. */
  readonly base: Table | undefined;
}

export interface Constant {
  readonly kind: 'constant';
  readonly type: ScalarType;
  readonly value: bigint | number | string | null;
}

export interface ScopeColumn {
  readonly kind: 'scope column';
  readonly type: ScalarType;
  readonly scope: RowScope;
  readonly index: number;
}

export interface Related {
  readonly kind: 'related';
  readonly type: ScalarType;
  readonly scope: RowScope;
  /** The scope's column with the key of the first step. */
  readonly index: number;
  readonly steps: readonly Relationship[];
  readonly column: Column;
}

/** A variable. Its value is evaluated in the context where it is declared. */
export interface Binding {
  readonly name: string;
  readonly value: Scalar | TablePlan;
}

export interface ScalarVariable {
  readonly kind: 'scalar variable';
  readonly type: ScalarType;
  readonly binding: Binding;
}

export interface ScalarLet {
  readonly kind: 'scalar let';
  readonly type: ScalarType;
  readonly bindings: readonly Binding[];
  readonly body: Scalar;
}

export interface Arithmetic {
  readonly kind: 'arithmetic';
  readonly type: ScalarType;
  readonly operator: '+' | '-' | '*' | '/' | '^';
  readonly left: Scalar;
  readonly right: Scalar;
}

export interface Negation {
  readonly kind: 'negation';
  readonly type: ScalarType;
  readonly operand: Scalar;
}

export interface Concatenation {
  readonly kind: 'concatenation';
  readonly type: 'text';
  readonly left: Scalar;
  readonly right: Scalar;
}

export type Comparator = Extract<BinaryOperator, '=' | '==' | '<>' | '<' | '>' | '<=' | '>='>;

export interface Comparison {
  readonly kind: 'comparison';
  readonly type: 'boolean';
  readonly operator: Comparator;
  readonly left: Scalar;
  readonly right: Scalar;
}

export interface Logic {
  readonly kind: 'logic';
  readonly type: 'boolean';
  readonly operator: 'and' | 'or';
  readonly left: Scalar;
  readonly right: Scalar;
}

export interface Not {
  readonly kind: 'not';
  readonly type: 'boolean';
  readonly operand: Scalar;
}

export interface In {
  readonly kind: 'in';
  readonly type: 'boolean';
  readonly values: readonly Scalar[];
  readonly table: TablePlan;
}

export interface Choice {
  readonly kind: 'choice';
  readonly type: ScalarType;
  readonly condition: Scalar;
  readonly yes: Scalar;
  readonly no: Scalar;
}

export interface Switch {
  readonly kind: 'switch';
  readonly type: ScalarType;
  readonly subject: Scalar;
  readonly cases: readonly (readonly [value: Scalar, result: Scalar])[];
  readonly otherwise: Scalar;
}

export interface Coalesce {
  readonly kind: 'coalesce';
  readonly type: ScalarType;
  readonly values: readonly Scalar[];
}

export interface IsBlank {
  readonly kind: 'is blank';
  readonly type: 'boolean';
  readonly operand: Scalar;
}

export interface Divide {
  readonly kind: 'divide';
  readonly type: ScalarType;
  readonly left: Scalar;
  readonly right: Scalar;
  readonly otherwise: Scalar | undefined;
}

export interface FunctionCall {
  readonly kind: 'function';
  readonly type: ScalarType;
  readonly function: ScalarFunction;
  /** Strings are keywords of the function. */
  readonly args: readonly (Scalar | string | undefined)[];
}

export type AggregateKind =
  | 'sum'
  | 'average'
  | 'min'
  | 'max'
  | 'count'
  | 'count blank'
  | 'count rows'
  | 'count distinct';

export interface Aggregate {
  readonly kind: 'aggregate';
  readonly type: ScalarType;
  readonly aggregate: AggregateKind;
  readonly table: TablePlan;
  readonly scope: RowScope;
  /** Undefined for a count of rows. */
  readonly value: Scalar | undefined;
}

export interface Calculate {
  readonly kind: 'calculate';
  readonly type: ScalarType;
  readonly body: Scalar;
  readonly change: ContextChange;
}

/** How CALCULATE changes the context: row contexts become filters, then filters are removed, then filters are added. */
export interface ContextChange {
  readonly rows: readonly RowScope[];
  readonly removals: readonly Removal[];
  readonly filters: readonly FilterArgument[];
}

/** Columns whose filters are removed; `undefined` removes all filters. */
export type Removal = { readonly columns: readonly Column[] | undefined };

export type FilterArgument = (
  | {
      readonly kind: 'predicate';
      readonly columns: readonly Column[];
      readonly scope: RowScope;
      readonly condition: Scalar;
    }
  | { readonly kind: 'table'; readonly table: TablePlan }
) & {
  /** Intersects with the existing filters instead of replacing them. */
  readonly keep: boolean;
};

/** A table with one column and at most one row, used as a value. */
export interface TableValue {
  readonly kind: 'table value';
  readonly type: ScalarType;
  readonly table: TablePlan;
}

export interface IsEmpty {
  readonly kind: 'is empty';
  readonly type: 'boolean';
  readonly table: TablePlan;
}

interface TableNode {
  readonly columns: readonly PlanColumn[];
  /** Set if the rows are unchanged rows of this model table; a filter made of them also reaches the tables on its one side. */
  readonly base: Table | undefined;
}

export interface BaseTable extends TableNode {
  readonly kind: 'base';
  readonly table: Table;
}

/** VALUES of columns or of a whole table. Includes the blank row for keys without a match. */
export interface Values extends TableNode {
  readonly kind: 'values';
  readonly table: Table;
  readonly of: readonly Column[] | undefined;
}

export interface Distinct extends TableNode {
  readonly kind: 'distinct';
  readonly table: TablePlan;
}

export interface All extends TableNode {
  readonly kind: 'all';
  readonly table: Table;
  readonly of: readonly Column[] | undefined;
  readonly blankRow: boolean;
}

export interface Filter extends TableNode {
  readonly kind: 'filter';
  readonly table: TablePlan;
  readonly scope: RowScope;
  readonly condition: Scalar;
}

/** ADDCOLUMNS, SELECTCOLUMNS and ROW: each column is a column of the table or a new value. */
export interface Projection extends TableNode {
  readonly kind: 'projection';
  /** Undefined: a single row. */
  readonly table: TablePlan | undefined;
  readonly scope: RowScope;
  readonly values: readonly Scalar[];
}

export interface Summarize extends TableNode {
  readonly kind: 'summarize';
  readonly table: TablePlan;
  readonly scope: RowScope;
  readonly groups: readonly { readonly value: ScopeColumn | Related; readonly lineage: Column | undefined }[];
  /** The groups, as rows that become filters when the values are evaluated. */
  readonly groupScope: RowScope;
  readonly values: readonly Scalar[];
}

export interface SummarizeColumns extends TableNode {
  readonly kind: 'summarize columns';
  readonly groups: readonly Column[];
  readonly filters: readonly FilterArgument[];
  readonly groupScope: RowScope;
  readonly values: readonly Scalar[];
}

export interface SortKey {
  readonly value: Scalar;
  readonly descending: boolean;
}

export interface TopN extends TableNode {
  readonly kind: 'top';
  readonly count: Scalar;
  readonly table: TablePlan;
  readonly scope: RowScope;
  readonly keys: readonly SortKey[];
}

export interface Union extends TableNode {
  readonly kind: 'union';
  readonly tables: readonly TablePlan[];
}

export interface CrossJoin extends TableNode {
  readonly kind: 'cross join';
  readonly tables: readonly TablePlan[];
}

export interface Constructed extends TableNode {
  readonly kind: 'constructed';
  readonly rows: readonly (readonly Scalar[])[];
}

export interface CalculateTable extends TableNode {
  readonly kind: 'calculate table';
  readonly body: TablePlan;
  readonly change: ContextChange;
}

export interface TableVariable extends TableNode {
  readonly kind: 'table variable';
  readonly binding: Binding;
}

export interface TableLet extends TableNode {
  readonly kind: 'table let';
  readonly bindings: readonly Binding[];
  readonly body: TablePlan;
}

/** A whole query: its variables, the first table that it evaluates, and the sort order. */
export interface QueryPlan {
  readonly bindings: readonly Binding[];
  readonly table: TablePlan;
  readonly scope: RowScope;
  readonly order: readonly SortKey[];
  readonly startAt: readonly Scalar[];
  /** True if the query evaluates more tables than the first. */
  readonly furtherTables: boolean;
  readonly at: Position;
}
