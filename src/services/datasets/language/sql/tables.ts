import type { Constructed, CrossJoin, Projection, TablePlan, TopN, Union } from '../plan/types.ts';
import type { Compiler } from './compiler.ts';
import { type Environment, isScalarSql, withFilters, withRows, withVariable } from './environment.ts';
import { changed } from './filters.ts';
import { ordered } from './order.ts';
import { hasKey, type Relation, type RelationColumn, Source, tailOf } from './relation.ts';
import { isCheap } from './repeatable.ts';
import { bounded } from './scalars.ts';
import { summarize } from './summarize.ts';
import { summarizeColumns } from './summarize-columns.ts';

export function table(compiler: Compiler, plan: TablePlan, environment: Environment): Relation {
  switch (plan.kind) {
    case 'base':
      return compiler.scan(plan.table, environment.filters);
    case 'values': {
      const rows = compiler.scan(plan.table, environment.filters, { blankRow: true });
      return plan.of ? compiler.distinctOf(rows, plan.of) : rows;
    }
    case 'all': {
      const rows = compiler.scan(plan.table, [], { blankRow: plan.blankRow });
      return plan.of ? compiler.distinctOf(rows, plan.of) : rows;
    }
    case 'distinct': {
      const relation = compiler.table(plan.table, environment);
      if (plan.base) return compiler.derivedScan(plan.base, relation, { distinct: true });
      return compiler.derived(relation, { distinct: true });
    }
    case 'filter': {
      const relation = compiler.table(plan.table, environment);
      const condition = compiler.condition(plan.condition, withRows(environment, plan.scope, relation));
      return { ...relation, where: [...relation.where, condition] };
    }
    case 'projection':
      return projection(compiler, plan, environment);
    case 'summarize':
      return summarize(compiler, plan, environment);
    case 'summarize columns':
      return summarizeColumns(compiler, plan, environment);
    case 'top':
      return top(compiler, plan, environment);
    case 'union':
      return union(compiler, plan, environment);
    case 'cross join':
      return crossJoin(compiler, plan, environment);
    case 'constructed':
      return constructed(compiler, plan, environment);
    case 'calculate table':
      return compiler.table(plan.body, withFilters(environment, changed(compiler, plan.change, environment)));
    case 'table variable': {
      const declared = environment.variables.get(plan.binding);
      if (!declared || isScalarSql(declared)) throw new Error(`variable ${plan.binding.name} is not bound to a table`);
      return compiler.table(compiler.tableOf(plan.binding), declared);
    }
    case 'table let': {
      let inner = environment;
      for (const binding of plan.bindings) {
        const value = 'columns' in binding.value ? inner : compiler.scalar(binding.value, inner);
        inner = withVariable(inner, binding, value);
      }
      return compiler.table(plan.body, inner);
    }
  }
}

/** Longer values are computed in a subquery, so that an expression that uses them twice does not repeat them. */
const LONGEST_INLINE = 80;

function projection(compiler: Compiler, plan: Projection, environment: Environment): Relation {
  const relation = plan.table ? compiler.table(plan.table, environment) : compiler.single([]);
  const inner = plan.table ? withRows(environment, plan.scope, relation) : environment;
  const columns = plan.values.map((each, i) => {
    const { type, lineage } = plan.columns[i]!;
    return compiler.columnOf(compiler.converted(compiler.scalar(each, inner), type), lineage);
  });
  const long = columns.some(({ value, key }) => !isCheap(value) && value.length + key.length > LONGEST_INLINE);
  if (!long) return { ...relation, columns };
  const bounds = columns.map((column) => ({ ...column, value: bounded(compiler, { ...column, sql: column.value }) }));
  return compiler.derived({ ...relation, columns: bounds });
}

/** Rows that tie with the last one are included. Without sort keys, any rows are returned. */
function top(compiler: Compiler, plan: TopN, environment: Environment): Relation {
  const relation = compiler.table(plan.table, environment);
  const inner = withRows(environment, plan.scope, relation);
  const count = compiler.converted(compiler.scalar(plan.count, environment), 'double').sql;
  const keys = plan.keys.map(({ value, descending }) => ordered(compiler, compiler.scalar(value, inner), descending));
  const place = keys.length === 0 ? 'row_number() OVER ()' : `rank() OVER (ORDER BY ${keys.join(', ')})`;
  const isAmong = (value: string): string => `${value} <= coalesce(${count}, 0)`;
  if (plan.base) return compiler.derivedScan(plan.base, relation, { place: { sql: place, isAmong } });
  const rank: RelationColumn = { value: place, key: place, type: 'int', lineage: undefined };
  const ranked = compiler.derived({ ...relation, columns: [...relation.columns, rank] });
  const { value } = ranked.columns.at(-1)!;
  return { ...ranked, columns: ranked.columns.slice(0, -1), where: [isAmong(value)] };
}

function union(compiler: Compiler, plan: Union, environment: Environment): Relation {
  const parts = plan.tables.map((each) => {
    const relation = compiler.table(each, environment);
    const columns = relation.columns.map((column, i) => converted(compiler, column, plan.columns[i]!.type));
    return { text: `SELECT ${named(columns)}${tailOf(relation)}`, columns };
  });
  const shown = plan.columns.map(({ type, lineage }, i) => ({ ...parts[0]!.columns[i]!, type, lineage }));
  return compiler.fromStatement(parts.map(({ text }) => text).join(' UNION ALL '), shown);
}

function converted(compiler: Compiler, column: RelationColumn, type: RelationColumn['type']): RelationColumn {
  if (column.type === type) return column;
  const value = { sql: column.value, type: column.type, nullable: true, strict: false };
  return compiler.columnOf(compiler.converted(value, type));
}

const named = (columns: readonly RelationColumn[]): string =>
  columns
    .map((column, i) =>
      hasKey(column) ? `${column.value} AS v_${i}, ${column.key} AS k_${i}` : `${column.value} AS v_${i}`,
    )
    .join(', ');

function constructed(compiler: Compiler, plan: Constructed, environment: Environment): Relation {
  const rows = plan.rows.map((row) =>
    row.map((each, i) =>
      compiler.columnOf(compiler.converted(compiler.scalar(each, environment), plan.columns[i]!.type)),
    ),
  );
  // Engines limit the number of SELECTs in a statement, but not the number of rows after VALUES.
  const [first, ...others] = rows;
  const further = others.map((row) => `(${row.flatMap(valueAndKey).join(', ')})`).join(', ');
  const text = `SELECT ${named(first!)}${further === '' ? '' : ` UNION ALL VALUES ${further}`}`;
  return compiler.fromStatement(text, first!);
}

const valueAndKey = (column: RelationColumn): string[] =>
  hasKey(column) ? [column.value, column.key] : [column.value];

function crossJoin(compiler: Compiler, plan: CrossJoin, environment: Environment): Relation {
  const parts = plan.tables.map((each) => compiler.derived(compiler.table(each, environment)));
  const source = new Source(parts.map((part) => part.source.sql()).join(' CROSS JOIN '), compiler.aliases);
  for (const part of parts) for (const { value } of part.columns) source.own(value.slice(0, value.indexOf('.')));
  const { timeCheck } = compiler.dialect;
  return {
    source,
    where: timeCheck ? [timeCheck] : [],
    columns: parts.flatMap(({ columns }) => columns),
    scan: undefined,
  };
}
