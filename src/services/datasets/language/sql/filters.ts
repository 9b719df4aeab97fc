import type { Column } from '../catalogue.ts';
import type { ContextChange, FilterArgument, TablePlan } from '../plan/types.ts';
import type { Compiler } from './compiler.ts';
import {
  type CombinedFilter,
  type ContextFilter,
  type Environment,
  isScalarSql,
  withFilters,
  withRows,
} from './environment.ts';
import { aliasNumbersIn, type Relation, type Scan } from './relation.ts';

/** The filter context inside a CALCULATE. */
export function changed(compiler: Compiler, change: ContextChange, environment: Environment): readonly ContextFilter[] {
  const added = change.filters.map((each) => filterOf(compiler, each, environment));
  let { filters } = environment;
  for (const scope of change.rows) {
    const relation = environment.rows.get(scope)!;
    const rows = rowFilters(compiler, relation);
    if (alreadyFilter(filters, rows, relation)) continue;
    filters = [...without(filters, columnsOf(rows)), ...rows];
  }
  for (const { columns } of change.removals) filters = columns ? without(filters, columns) : [];
  const replacing = added.filter((_, i) => !change.filters[i]!.keep);
  return [...without(filters, columnsOf(replacing)), ...added];
}

/**
 * True if the row's filters are already in the filter context, as for a group of SUMMARIZE. Within the group these columns have no other
 * values, so replacing the filters would have no effect.
 */
function alreadyFilter(filters: readonly ContextFilter[], rows: readonly ContextFilter[], relation: Relation): boolean {
  const columns = new Set(columnsOf(rows));
  const others = filters.filter(({ row }) => row?.relation !== relation);
  if (filters.length - others.length !== rows.length) return false;
  return others.every((filter) => filter.group === relation || !filter.columns.some((each) => columns.has(each)));
}

export const columnsOf = (filters: readonly ContextFilter[]): Column[] => filters.flatMap(({ columns }) => columns);

/** Turns the row of a relation into filters: each model column must have the row's value. */
export function rowFilters(compiler: Compiler, relation: Relation): ContextFilter[] {
  return relation.columns.flatMap((column, index) => {
    const { lineage } = column;
    if (!lineage) return [];
    const direct = (scan: Scan): string =>
      `${compiler.columnAt(scan, lineage).key} ${compiler.dialect.same} ${column.key}`;
    return [{ columns: [lineage], row: { relation, index }, direct, tuples: () => compiler.single([column]) }];
  });
}

/** Removes the filters on columns. A filter on several columns keeps its other columns. */
export function without(filters: readonly ContextFilter[], removed: readonly Column[]): readonly ContextFilter[] {
  if (removed.length === 0) return filters;
  const gone = new Set(removed);
  const rests = new Map<CombinedFilter, CombinedFilter>();
  const left: ContextFilter[] = [];
  for (const filter of filters) {
    const columns = filter.columns.filter((column) => !gone.has(column));
    const { combined } = filter;
    if (combined && columns.length < filter.columns.length) {
      rests.set(combined, { ...combined, columns: combined.columns.filter((column) => !gone.has(column)) });
    }
    if (columns.length > 0) left.push(narrowed(filter, columns));
  }
  if (rests.size === 0) return left;
  const others = left.map((filter) => {
    const rest = filter.combined && rests.get(filter.combined);
    return rest ? { ...filter, combined: rest } : filter;
  });
  return [...others, ...[...rests.values()].flatMap((rest) => rest.restrictedTo(rest.columns) ?? [])];
}

/** The same filter, restricted to fewer columns. */
export function narrowed(filter: ContextFilter, columns: readonly Column[]): ContextFilter {
  if (columns.length === filter.columns.length) return filter;
  const { tuples, matches } = filter;
  return matches ? { columns, tuples, matches } : { columns, tuples };
}

export function filterOf(compiler: Compiler, argument: FilterArgument, environment: Environment): ContextFilter {
  if (argument.kind === 'table') return tableFilter(compiler, argument.table, environment);
  const { columns, scope, condition } = argument;
  const on = (relation: Relation): string => compiler.condition(condition, withRows(environment, scope, relation));
  return {
    columns,
    direct: (scan) => {
      const { source } = scan;
      return on({ source, where: [], columns: columns.map((each) => compiler.columnAt(scan, each)), scan: undefined });
    },
    tuples: () => {
      const values = compiler.distinctOf(compiler.scan(columns[0]!.table, [], { blankRow: true }), columns);
      return { ...values, where: [...values.where, on(values)] };
    },
  };
}

/** A table as a filter. Rows of a model table also filter the columns of the tables on its one side. */
export function tableFilter(compiler: Compiler, table: TablePlan, environment: Environment): ContextFilter {
  const { base } = table;
  if (!base) {
    const columns = table.columns.flatMap(({ lineage }) => lineage ?? []);
    return { columns, tuples: () => compiler.table(table, environment) };
  }
  const columns = compiler.paths.expanded(base).flatMap((each) => each.columns);
  return {
    columns,
    direct: (scan) => {
      const path = compiler.paths.upward(scan.table, base);
      if (!path) return undefined;
      const conditions = onto(compiler, table, environment, scan.at(path));
      return conditions && (conditions.length > 0 ? conditions.join(' AND ') : '1 = 1');
    },
    tuples: () => {
      const relation = compiler.table(table, environment);
      const { scan } = relation;
      if (!scan) return relation;
      return { ...relation, columns: columns.map((column) => compiler.columnAt(scan, column)) };
    },
  };
}

/** A table expression as conditions on a scan of its table. Returns undefined if the expression does more than select rows. */
function onto(compiler: Compiler, table: TablePlan, environment: Environment, scan: Scan): string[] | undefined {
  switch (table.kind) {
    case 'base': {
      const { existsCondition } = scan;
      return [...(existsCondition ? [existsCondition] : []), ...compiler.visibility(scan, environment.filters)];
    }
    case 'values':
      return table.of ? undefined : compiler.visibility(scan, environment.filters);
    case 'all': {
      const { existsCondition } = scan;
      return table.of ? undefined : existsCondition && !table.blankRow ? [existsCondition] : [];
    }
    case 'filter': {
      const conditions = onto(compiler, table.table, environment, scan);
      if (!conditions) return undefined;
      const relation = compiler.ofScan(scan);
      return [...conditions, compiler.condition(table.condition, withRows(environment, table.scope, relation))];
    }
    case 'calculate table':
      return onto(compiler, table.body, withFilters(environment, changed(compiler, table.change, environment)), scan);
    case 'table variable': {
      const declared = environment.variables.get(table.binding);
      if (!declared || isScalarSql(declared)) return undefined;
      return onto(compiler, compiler.tableOf(table.binding), declared, scan);
    }
    default:
      return undefined;
  }
}

/**
 * A condition on a subquery. If the subquery names aliases of outer statements (up to `since`), it runs again for every outer row and must
 * check the time limit.
 */
export function withTimeCheckIfRepeated(
  { dialect }: Compiler,
  condition: string,
  statement: string,
  since: number,
): string {
  if (dialect.timeCheck === undefined || !aliasNumbersIn(statement).some((number) => number <= since)) return condition;
  return `CASE WHEN ${dialect.timeCheck} THEN ${condition} END`;
}

/** True if the SQL names an alias of `relation` or of the relations within it, or one created there before `since`. */
export function reachesInto(sql: string, relation: Relation, within: readonly Relation[], since: number): boolean {
  const { start } = relation.source;
  const sources = [relation, ...within].map(({ source }) => source);
  return aliasNumbersIn(sql).some(
    (number) => (number > start && number <= since) || sources.some((source) => source.owns(number)),
  );
}
