import type { Aggregate, AggregateKind, TablePlan } from '../plan/types.ts';
import type { ScalarType } from '../scalar/types.ts';
import type { Compiler } from './compiler.ts';
import type { ContextFilter, Environment, ScalarSql } from './environment.ts';
import { withFilters, withRows } from './environment.ts';
import { changed, reachesInto } from './filters.ts';
import { groupOn, type LeafKey } from './group-join.ts';
import { aliasNumbersIn, type Relation, type RelationColumn, type Scan, tailOf } from './relation.ts';

/** An aggregate of a table. Within an iterator it is computed for all rows at once if possible, see `GroupJoin`. */
export function aggregate(compiler: Compiler, plan: Aggregate, environment: Environment): ScalarSql {
  for (const relation of rowsAround(plan.table, environment)) {
    const found = forAllRows(compiler, plan, environment, relation);
    if (found) return found;
  }
  const relation = compiler.table(plan.table, environment);
  const value = plan.value && compiler.scalar(plan.value, withRows(environment, plan.scope, relation));
  const sql = selectAggregate(compiler, plan, relation, value);
  return { sql: withTimeCheck(compiler, sql, environment), type: plan.type, nullable: true, strict: false };
}

/**
 * SQL assigns an aggregate to the innermost statement whose columns its argument names. If the argument names only columns of outer
 * statements, it is first made a column of a derived table.
 */
function selectAggregate(
  compiler: Compiler,
  plan: Aggregate,
  relation: Relation,
  value: ScalarSql | undefined,
): string {
  if (!value || namesOwn(value, relation)) {
    return `(SELECT ${aggregateSql(compiler, plan.aggregate, plan.type, value)}${tailOf(relation)})`;
  }
  const inner = compiler.derived({ ...relation, columns: [compiler.columnOf(value)] });
  const [{ value: sql, key, type }] = inner.columns as [RelationColumn];
  const named: ScalarSql = { sql, key, type, nullable: true, strict: false };
  return `(SELECT ${aggregateSql(compiler, plan.aggregate, plan.type, named)}${tailOf(inner)})`;
}

function namesOwn(value: ScalarSql, { source }: Relation): boolean {
  const numbers = aliasNumbersIn(value.sql);
  return numbers.length === 0 || numbers.some((number) => source.owns(number));
}

/** A subquery that is evaluated for each outer row can run for any time, so it checks the time limit. */
export function withTimeCheck({ dialect }: Compiler, sql: string, { nest }: Environment): string {
  if (dialect.timeCheck === undefined || !nest.some((relation) => reachesInto(sql, relation, [], -1))) return sql;
  return `CASE WHEN ${dialect.timeCheck} THEN ${sql} END`;
}

/** The relations whose rows act as filters of a table, innermost first. */
function rowsAround(table: TablePlan, environment: Environment): Set<Relation> {
  const relations = environment.filters.flatMap(({ row }) => row?.relation ?? []);
  // RELATEDTABLE and CALCULATETABLE also turn row contexts into filters.
  for (let at = table; at.kind === 'filter' || at.kind === 'calculate table'; ) {
    if (at.kind === 'calculate table') relations.push(...at.change.rows.map((scope) => environment.rows.get(scope)!));
    at = at.kind === 'filter' ? at.table : at.body;
  }
  return new Set(relations.toReversed());
}

function forAllRows(
  compiler: Compiler,
  plan: Aggregate,
  environment: Environment,
  relation: Relation,
): ScalarSql | undefined {
  const before = environment.nest.map(({ source }) => ({ source, joins: [...source.joins] }));
  const since = compiler.aliases.last;
  const found = tryForAllRows(compiler, plan, environment, relation, since);
  // Discard the joins added by the failed attempt.
  if (!found) for (const { source, joins } of before) source.joins = joins;
  return found;
}

function tryForAllRows(
  compiler: Compiler,
  plan: Aggregate,
  environment: Environment,
  relation: Relation,
  since: number,
): ScalarSql | undefined {
  const leaf = leafOf(compiler, plan.table, environment, relation);
  if (!leaf || leaf.keys.length === 0) return undefined;
  const value = plan.value && compiler.scalar(plan.value, withRows(environment, plan.scope, leaf.relation));
  if (value && !namesOwn(value, leaf.relation)) return undefined;
  const text = aggregateSql(compiler, plan.aggregate, plan.type, value);
  const tail = tailOf(leaf.relation);
  const within = environment.nest.slice(environment.nest.indexOf(relation) + 1);
  const written = [tail, text, ...leaf.keys.map(({ column }) => column.key)].join(' ');
  if (reachesInto(written, relation, within, since)) return undefined;
  const { group, column } = groupOn(compiler, relation, { tail, keys: leaf.keys, aggregate: text, since });
  const confined = (relation.confinedBy ?? []).every((filter) => leaf.filters.includes(filter));
  return { sql: column, type: plan.type, nullable: true, strict: group.isFull && confined };
}

interface Leaf {
  readonly relation: Relation & { readonly scan: Scan };
  readonly keys: readonly LeafKey[];
  readonly filters: readonly ContextFilter[];
}

/** A scan of a table without the filters that are rows of `relation`; the scan is grouped by their columns instead. */
function leafOf(compiler: Compiler, plan: TablePlan, environment: Environment, relation: Relation): Leaf | undefined {
  switch (plan.kind) {
    case 'base': {
      const scan = compiler.newScan(plan.table, { blankRow: false });
      const isRow = ({ row }: ContextFilter): boolean => row?.relation === relation;
      const keys: LeafKey[] = [];
      for (const { row, columns } of environment.filters.filter(isRow)) {
        const path = compiler.paths.between(plan.table, columns[0]!.table);
        if (!path) continue;
        if (!path.every(({ up }) => up)) return undefined;
        keys.push({ index: row!.index, column: compiler.columnAt(scan, columns[0]!) });
      }
      const where = compiler.visibility(
        scan,
        environment.filters.filter((filter) => !isRow(filter)),
      );
      return { relation: { ...compiler.ofScan(scan), where, scan }, keys, filters: environment.filters };
    }
    case 'filter': {
      const leaf = leafOf(compiler, plan.table, environment, relation);
      if (!leaf) return undefined;
      const condition = compiler.condition(plan.condition, withRows(environment, plan.scope, leaf.relation));
      return { ...leaf, relation: { ...leaf.relation, where: [...leaf.relation.where, condition] } };
    }
    case 'calculate table': {
      const filters = changed(compiler, plan.change, environment);
      return leafOf(compiler, plan.body, withFilters(environment, filters), relation);
    }
    default:
      return undefined;
  }
}

const whole = (type: ScalarType): boolean => type === 'int' || type === 'decimal';

/** The aggregate function over the rows of FROM. A count of nothing is blank, never zero. */
export function aggregateSql(
  compiler: Compiler,
  kind: AggregateKind,
  type: ScalarType,
  value: ScalarSql | undefined,
): string {
  const { dialect } = compiler;
  if (!value) return 'nullif(count(*), 0)';
  const { sql } = value;
  const key = compiler.keyOf(value);
  switch (kind) {
    case 'sum': {
      const summed = compiler.converted(value, type).sql;
      return whole(type) ? dialect.int(`sum(${summed})`) : `sum(${summed})`;
    }
    case 'average': {
      const averaged = whole(value.type) && dialect.engine === 'postgres' ? value : compiler.converted(value, type);
      // PostgreSQL averages integers exactly but loses precision with doubles, so integers are averaged before conversion. SQLite
      // compensates for the loss.
      if (dialect.engine === 'postgres' && whole(averaged.type)) {
        return type === 'decimal' ? dialect.int(`round(avg(${averaged.sql}))`) : dialect.double(`avg(${averaged.sql})`);
      }
      const mean = `avg(${dialect.double(averaged.sql)})`;
      return type === 'decimal' ? dialect.int(`round(${mean})`) : mean;
    }
    case 'min':
    case 'max':
      if (type === 'text') return extreme(compiler, kind, sql, compiler.dialect.byBytes(key));
      if (type === 'variant') return extreme(compiler, kind, sql, compiler.orderOf(value));
      return `${kind}(${value.type === 'variant' ? numbersOnly(compiler, value) : compiler.converted(value, type).sql})`;
    case 'count':
      return `nullif(count(${sql}), 0)`;
    case 'count blank':
      return `nullif(count(CASE WHEN ${sql} IS NULL${value.type === 'text' ? ` OR ${sql} = ''` : ''} THEN 1 END), 0)`;
    case 'count distinct':
      return `nullif(count(DISTINCT ${key}) + max(CASE WHEN ${key} IS NULL THEN 1 ELSE 0 END), 0)`;
    case 'count rows':
      return 'nullif(count(*), 0)';
  }
}

/** Of values of mixed types, only the numbers and dates. The first character of a variant gives its type. */
function numbersOnly(compiler: Compiler, value: ScalarSql): string {
  const number = compiler.converted(value, 'double').sql;
  return `CASE WHEN substr(${value.sql}, 1, 1) NOT IN ('s', 'b') THEN ${number} END`;
}

/** Texts and variants are ordered by their sort key, but the original value is returned. */
function extreme({ dialect }: Compiler, kind: 'min' | 'max', sql: string, order: string): string {
  const mark = dialect.engine === 'sqlite' ? 'char(1)' : 'chr(1)';
  const find = dialect.engine === 'sqlite' ? 'instr' : 'strpos';
  const found = `${kind}(${dialect.byBytes(`(${order} || ${mark} || ${sql})`)})`;
  return `substr(${found}, ${find}(${found}, ${mark}) + 1)`;
}
