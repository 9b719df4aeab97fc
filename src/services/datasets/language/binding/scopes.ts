import type { Column, Table } from '../catalogue.ts';
import { nameKey } from '../catalogue.ts';
import type { Binding, PlanColumn, Related, RowScope, Scalar, ScopeColumn, TablePlan } from '../plan/types.ts';

/** The names visible at a place in a query. */
export interface Environment {
  /** Row contexts, innermost last. */
  readonly scopes: readonly RowScope[];
  readonly variables: ReadonlyMap<string, Binding>;
  /** The table of the measure that is being bound. */
  readonly home: Table | undefined;
}

export const EMPTY: Environment = { scopes: [], variables: new Map(), home: undefined };

export const within = (environment: Environment, scope: RowScope): Environment => ({
  ...environment,
  scopes: [...environment.scopes, scope],
});

/** When row contexts have become filters, their columns are no longer visible. */
export const withoutRows = (environment: Environment): Environment => ({ ...environment, scopes: [] });

export const withVariable = (environment: Environment, binding: Binding): Environment => ({
  ...environment,
  variables: new Map(environment.variables).set(nameKey(binding.name), binding),
});

export const isTable = (plan: Scalar | TablePlan): plan is TablePlan => 'columns' in plan;

export const scopeOf = (table: Pick<TablePlan, 'columns' | 'base'>): RowScope => ({
  columns: table.columns,
  base: table.base,
});

export const planColumn = (column: Column): PlanColumn => ({
  name: column.name,
  type: column.type,
  lineage: column,
  key: `${column.table.name}[${column.name}]`,
});

export const newColumn = (name: string, value: Pick<Scalar, 'type'>, lineage?: Column): PlanColumn => ({
  name,
  type: value.type,
  lineage,
  key: `[${name}]`,
});

/** A computed or renamed column. */
export const isNew = ({ key }: Pick<PlanColumn, 'key'>): boolean => key.startsWith('[');

export function scopeColumn(scope: RowScope, index: number): ScopeColumn {
  return { kind: 'scope column', type: scope.columns[index]!.type, scope, index };
}

/** Finds a model column in a row: the row's own column or, if the row has all columns of a table, a column of a table on its one side. */
export function columnIn(scope: RowScope, column: Column): ScopeColumn | Related | undefined {
  const own = scope.columns.findIndex((each) => isColumn(each, column));
  if (own >= 0) return scopeColumn(scope, own);
  for (const [index, each] of scope.columns.entries()) {
    const { lineage } = each;
    if (!lineage || isNew(each) || !hasRowsOf(scope, lineage.table)) continue;
    for (const first of lineage.table.parents) {
      if (first.from !== lineage) continue;
      const rest = stepsTo(first.to.table, column.table);
      if (rest) return { kind: 'related', type: column.type, scope, index, steps: [first, ...rest], column };
    }
  }
  return undefined;
}

/** A renamed column still filters as the model column does, but is found only by its new name. */
const isColumn = (each: PlanColumn, column: Column): boolean => each.lineage === column && !isNew(each);

/** The key column is not enough: a row counts as a row of the table only if it has all its columns. */
const hasRowsOf = ({ columns }: RowScope, table: Table): boolean =>
  table.columns.every((column) => columns.some((each) => isColumn(each, column)));

function stepsTo(table: Table, target: Table): Related['steps'] | undefined {
  if (table === target) return [];
  for (const relationship of table.parents) {
    const rest = stepsTo(relationship.to.table, target);
    if (rest) return [relationship, ...rest];
  }
  return undefined;
}
