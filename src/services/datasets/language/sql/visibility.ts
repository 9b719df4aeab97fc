import type { Column, Relationship } from '../catalogue.ts';
import type { Path } from '../paths.ts';
import type { Compiler } from './compiler.ts';
import type { ContextFilter } from './environment.ts';
import { narrowed, withTimeCheckIfRepeated } from './filters.ts';
import { asKeyOf, type Relation, type RelationColumn, type Scan, tailOf } from './relation.ts';
import { present } from './sentinels.ts';

/**
 * The rows of a table that a filter context makes visible, as conditions on its scan. A filter reaches a table through its own columns,
 * through columns of tables on its one side, and, if relationships filter in both directions, through rows on the many side.
 */
export function visibility(compiler: Compiler, scan: Scan, filters: readonly ContextFilter[]): string[] {
  const conditions: string[] = [];
  const below = new Map<string, Below>();
  for (const filter of filters) {
    const { above, others } = reached(compiler, scan, filter);
    if (above.length > 0) conditions.push(restriction(compiler, scan, narrowed(filter, above)));
    for (const { path, column } of others) {
      const turn = path.findIndex(({ up }) => !up);
      const key = path
        .slice(0, turn + 1)
        .map(({ relationship }) => relationship.name)
        .join('/');
      const group = below.get(key) ?? {
        path: path.slice(0, turn),
        relationship: path[turn]!.relationship,
        filters: new Map(),
      };
      below.set(key, group);
      group.filters.set(filter, [...(group.filters.get(filter) ?? []), column]);
    }
  }
  for (const group of below.values()) conditions.push(hasRowsBelow(compiler, scan, group));
  return conditions;
}

/** Filters from the many side of a relationship. */
interface Below {
  /** The path to the table on the one side of the relationship. */
  readonly path: Path;
  readonly relationship: Relationship;
  readonly filters: Map<ContextFilter, readonly Column[]>;
}

function reached(compiler: Compiler, { table }: Scan, { columns }: ContextFilter) {
  const above: Column[] = [];
  const others: { readonly path: Path; readonly column: Column }[] = [];
  for (const column of columns) {
    const path = compiler.paths.between(table, column.table);
    if (!path) continue;
    if (path.every(({ up }) => up)) above.push(column);
    else others.push({ path, column });
  }
  return { above, others };
}

function restriction(compiler: Compiler, scan: Scan, filter: ContextFilter): string {
  const direct = filter.direct?.(scan);
  if (direct !== undefined) return `(${direct})`;
  const since = compiler.aliases.last;
  const tuples = filter.tuples();
  const columns = keysInstead(compiler, scan, filter.columns, tuples);
  // Compares with the tuples instead of adding a condition inside the subquery, so that the engine computes the tuples once and not for
  // every row.
  const pairs = [
    ...pairsWith(tuples, columns).map(([inner, column]) => [inner, compiler.columnAt(scan, column)] as const),
    ...(filter.matches?.(tuples) ?? []),
  ];
  const left = pairs.map(([, outer]) => outer);
  const right = pairs.map(([inner]) => inner);
  const row = (each: typeof left): string => each.map(({ key, type }) => present(key, type)).join(', ');
  const statement = `SELECT ${row(right)}${tailOf(tuples)}`;
  return withTimeCheckIfRepeated(compiler, `(${row(left)}) IN (${statement})`, statement, since);
}

/**
 * The columns of the tuples that come from `columns`. A table can contain a model column twice with different values, one of them from an
 * outer row; a row must then equal both.
 */
function pairsWith({ columns: all }: Relation, columns: readonly Column[]): (readonly [RelationColumn, Column])[] {
  return all.flatMap((each) => (each.lineage && columns.includes(each.lineage) ? [[each, each.lineage] as const] : []));
}

/** Identifies rows by the key on the one side of a relationship: rows with equal keys have equal values in all columns. */
function keysInstead(compiler: Compiler, scan: Scan, columns: readonly Column[], tuples: Relation): readonly Column[] {
  const from = tuples.scan?.table;
  const last = from && compiler.paths.upward(from, scan.table)?.at(-1);
  const key = last?.relationship.to;
  return key && columns.includes(key) && columns.every(({ table }) => table === scan.table) ? [key] : columns;
}

function hasRowsBelow(compiler: Compiler, scan: Scan, { path, relationship, filters }: Below): string {
  const one = scan.at(path);
  const child = relationship.from.table;
  // The blank row of a table belongs to the blank row of its parent table.
  const since = compiler.aliases.last;
  const inner = compiler.newScan(child, { blankRow: one.mayLack });
  const reachable = new Set(compiler.paths.expanded(child));
  const narrow = [...filters].map(([filter, columns]) => {
    const wanted = new Set(columns);
    return narrowed(
      filter,
      filter.columns.filter((column) => wanted.has(column) || reachable.has(column.table)),
    );
  });
  const where = visibility(compiler, inner, narrow);
  const { to, from } = relationship;
  const { key, type } = one.own(to);
  const among = (own: string, value: string): string => {
    const statement = `SELECT ${value}${tailOf({ source: inner.source, where })}`;
    return withTimeCheckIfRepeated(compiler, `${own} IN (${statement})`, statement, since);
  };
  if (!one.mayLack) return among(key, asKeyOf(type, inner.own(from)));
  // Rows without a match belong to the blank row of the one side.
  const parent = inner.parent(relationship).own(to);
  return among(present(key, type), present(parent.key, type));
}
