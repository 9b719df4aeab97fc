import type { Column, Table } from '../catalogue.ts';
import type { SummarizeColumns } from '../plan/types.ts';
import type { Compiler } from './compiler.ts';
import {
  type CombinedFilter,
  type ContextFilter,
  type Environment,
  type ScalarSql,
  withFilters,
} from './environment.ts';
import { columnsOf, filterOf, narrowed, rowFilters } from './filters.ts';
import { GroupJoin } from './group-join.ts';
import { hasKey, type Relation, type RelationColumn, Source } from './relation.ts';

/**
 * SUMMARIZECOLUMNS: values for each combination of groups, except combinations for which all values are blank. Columns of one table give
 * the combinations that exist; columns of several tables are cross joined. If values are blank for every combination without rows, only the
 * combinations that have rows are computed.
 */
export function summarizeColumns(compiler: Compiler, plan: SummarizeColumns, environment: Environment): Relation {
  const added = plan.filters.map((each) => filterOf(compiler, each, environment));
  const outer = [...environment.filters, ...added];
  const groups = placeholder(compiler, plan.groups);
  const filters = coalesced(compiler, [...outer, ...rowFilters(compiler, groups)], groups, added);
  groups.confinedBy = filters.filter((filter) => filter.row?.relation !== groups && confines(filter, plan.groups));
  const within = withFilters({ ...environment, nest: [...environment.nest, groups] }, filters);
  const values = plan.values.map((each, i) =>
    compiler.converted(compiler.scalar(each, within), plan.columns[plan.groups.length + i]!.type),
  );
  const hasFull = groups.source.joins.some((join) => join instanceof GroupJoin && join.isFull);
  if (hasFull && values.every(({ strict }) => strict)) return ofRowsThatExist(compiler, groups, values);
  groups.source.base = everyCombination(compiler, plan.groups, outer, groups);
  const result = compiler.derived({
    ...groups,
    columns: [...groups.columns, ...values.map((each) => compiler.columnOf(each))],
  });
  return values.length === 0 ? result : withoutBlanks(result, values.length);
}

/** Filters on a table restrict the groups of that table. */
const confines = ({ columns }: ContextFilter, groups: readonly Column[]): boolean =>
  columns.some(({ table }) => groups.some((group) => group.table === table));

type Groups = Relation & { confinedBy: readonly ContextFilter[] };

/** A relation for the groups. Its rows are determined after the values are compiled. */
function placeholder(compiler: Compiler, columns: readonly Column[]): Groups {
  const source = new Source('', compiler.aliases);
  const alias = source.own(compiler.aliases.next('b'));
  source.base = alias;
  const named = columns.map((lineage, i): RelationColumn => {
    const value = `${alias}.v_${i}`;
    return { value, key: lineage.type === 'text' ? `${alias}.k_${i}` : value, type: lineage.type, lineage };
  });
  return { source, where: [], columns: named, scan: undefined, confinedBy: [] };
}

const aliasOf = ({ source }: Relation): string => source.base;

/** The combinations of groups that at least one of the grouped scans contains. */
function ofRowsThatExist(compiler: Compiler, groups: Relation, values: readonly ScalarSql[]): Relation {
  const { joins } = groups.source;
  const columns = [...groups.columns, ...values.map((each) => compiler.columnOf(each))];
  const [only] = joins;
  const namesGroups = values.some(({ sql }) => sql.includes(`${aliasOf(groups)}.`));
  const result =
    only instanceof GroupJoin && joins.length === 1 && !namesGroups
      ? ofOneScan(compiler, groups, only, columns)
      : ofSeveralScans(compiler, groups, columns);
  return withoutBlanks(result, values.length);
}

/** With a single grouped scan, that scan already contains the groups. */
function ofOneScan(
  compiler: Compiler,
  groups: Relation,
  scan: GroupJoin,
  columns: readonly RelationColumn[],
): Relation {
  const renamed = (sql: string): string => sql.replace(`${aliasOf(groups)}.`, `${scan.alias}.`);
  const own = columns.map((column) => ({ ...column, value: renamed(column.value), key: renamed(column.key) }));
  const source = new Source(`(${scan.statement({ values: true })}) ${scan.alias}`, compiler.aliases);
  source.own(scan.alias);
  return compiler.derived({ source, where: [], columns: own, scan: undefined });
}

/** Each grouped scan is computed once and used for both its combinations and its values. */
function ofSeveralScans(compiler: Compiler, groups: Relation, columns: readonly RelationColumn[]): Relation {
  const { joins } = groups.source;
  const full = joins.filter((join) => join instanceof GroupJoin).filter(({ isFull }) => isFull);
  const nameOf = ({ alias }: GroupJoin): string => `${alias}_all`;
  const named = full.map((join) => `${nameOf(join)} AS MATERIALIZED (${join.statement({ values: true })})`);
  const names = groups.columns.flatMap((column, i) => (hasKey(column) ? [`v_${i}`, `k_${i}`] : [`v_${i}`]));
  const shown = groups.columns.map((column, i) => (hasKey(column) ? `min(v_${i}) AS v_${i}, k_${i}` : `v_${i}`));
  const keys = groups.columns.map((column, i) => (hasKey(column) ? `k_${i}` : `v_${i}`));
  const all = full.map((join) => `SELECT ${names.join(', ')} FROM ${nameOf(join)}`).join(' UNION ALL ');
  const distinct = `SELECT ${shown.join(', ')} FROM (${all}) ${compiler.aliases.next('e')} GROUP BY ${keys.join(', ')}`;
  const source = new Source(`(${distinct}) ${aliasOf(groups)}`, compiler.aliases);
  source.own(aliasOf(groups));
  for (const join of joins) {
    const isNamed = join instanceof GroupJoin && join.isFull;
    const sql = (): string => (isNamed ? `LEFT JOIN ${nameOf(join)} ${join.alias} ON ${join.on()}` : join.sql());
    source.join({ alias: join.alias, sql });
  }
  const prefix = `WITH ${named.join(', ')} `;
  return compiler.derived({ source, where: [], columns, scan: undefined }, { prefix });
}

function withoutBlanks(result: Relation, values: number): Relation {
  const last = result.columns.slice(result.columns.length - values);
  return { ...result, where: [...result.where, `(${last.map(({ value }) => `${value} IS NOT NULL`).join(' OR ')})`] };
}

/** Filters on other tables do not restrict the groups. */
function everyCombination(
  compiler: Compiler,
  columns: readonly Column[],
  filters: readonly ContextFilter[],
  groups: Relation,
): string {
  const alias = aliasOf(groups);
  if (columns.length === 0) return `(SELECT 1 AS one) ${alias}`;
  const tables = [...new Set(columns.map(({ table }) => table))];
  const parts = tables.map((table) => {
    const own = columns.filter((column) => column.table === table);
    return { own, relation: compiler.distinctOf(combinationsOf(compiler, table, filters), own) };
  });
  const select = columns.map((column, i) => {
    const { own, relation } = parts.find((part) => part.own.includes(column))!;
    const { value, key } = relation.columns[own.indexOf(column)]!;
    return hasKey(column) ? `${value} AS v_${i}, ${key} AS k_${i}` : `${value} AS v_${i}`;
  });
  const { timeCheck } = compiler.dialect;
  const where = timeCheck && tables.length > 1 ? ` WHERE ${timeCheck}` : '';
  const from = parts.map(({ relation }) => relation.source.sql()).join(' CROSS JOIN ');
  return `(SELECT ${select.join(', ')} FROM ${from}${where}) ${alias}`;
}

function combinationsOf(compiler: Compiler, table: Table, filters: readonly ContextFilter[]) {
  const own = filters.flatMap((filter) => {
    const columns = filter.columns.filter((column) => column.table === table);
    return columns.length > 0 ? [narrowed(filter, columns)] : [];
  });
  return compiler.scan(table, own, { blankRow: true });
}

/**
 * Groups and filters on one table act as one filter on the existing combinations: when one column is removed, the others keep the
 * restriction that it imposed on them.
 */
function coalesced(
  compiler: Compiler,
  filters: readonly ContextFilter[],
  groups: Relation,
  added: readonly ContextFilter[],
): readonly ContextFilter[] {
  const ofTable = new Map<Table, ContextFilter[]>();
  for (const filter of filters) {
    const tables = new Set(filter.columns.map(({ table }) => table));
    const [table] = tables;
    const belongs = filter.row?.relation === groups || added.includes(filter);
    if (belongs && table && tables.size === 1) ofTable.set(table, [...(ofTable.get(table) ?? []), filter]);
  }
  const combined = new Map<ContextFilter, CombinedFilter>();
  for (const [table, parts] of ofTable) {
    const one = combinedFilterOf(compiler, table, parts, groups);
    for (const part of parts) combined.set(part, one);
  }
  return filters.map((filter) => (combined.has(filter) ? { ...filter, combined: combined.get(filter)! } : filter));
}

function combinedFilterOf(
  compiler: Compiler,
  table: Table,
  parts: readonly ContextFilter[],
  groups: Relation,
): CombinedFilter {
  const columns = columnsOf(parts);
  const fixed = new Set(columnsOf(parts.filter(({ row }) => row?.relation === groups)));
  return {
    columns,
    restrictedTo: (remaining) => {
      // Group columns already have a fixed value.
      const open = remaining.filter((column) => !fixed.has(column));
      if (open.length === 0) return undefined;
      const tuples = (): Relation => {
        const rows = compiler.scan(table, parts, { blankRow: true });
        return { ...rows, columns: open.map((column) => compiler.columnAt(rows.scan, column)) };
      };
      return { columns: open, tuples };
    },
  };
}
