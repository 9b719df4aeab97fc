import type { Summarize } from '../plan/types.ts';
import type { Compiler } from './compiler.ts';
import { type ContextFilter, type Environment, withFilters, withRows } from './environment.ts';
import { columnsOf, rowFilters, tableFilter, without } from './filters.ts';
import { type Relation, type RelationColumn, tailOf } from './relation.ts';

/** SUMMARIZE: the combinations that occur in a table, with values computed over the rows of each. */
export function summarize(compiler: Compiler, plan: Summarize, environment: Environment): Relation {
  const relation = compiler.table(plan.table, environment);
  const inner = withRows(environment, plan.scope, relation);
  const columns = plan.groups.map(({ value, lineage }) => compiler.columnOf(compiler.scalar(value, inner), lineage));
  const groups =
    columns.length > 0 ? compiler.derived({ ...relation, columns }, { distinct: true }) : oneIfAny(compiler, relation);
  if (plan.values.length === 0) return groups;
  const group = rowFilters(compiler, groups);
  const rows = rowsOfGroup(compiler, tableFilter(compiler, plan.table, environment), groups, plan);
  // A table without model columns filters nothing.
  const added = rows.columns.length > 0 ? [rows, ...group] : group;
  const filters = [...without(environment.filters, columnsOf(added)), ...added];
  const within = withFilters(withRows(environment, plan.groupScope, groups), filters);
  const values = plan.values.map((each) => compiler.columnOf(compiler.scalar(each, within)));
  return compiler.derived({ ...groups, columns: [...groups.columns, ...values] });
}

/**
 * The rows of the table that belong to a group. Scans of that table are already filtered by the group columns; other tables are filtered
 * only through these rows.
 */
function rowsOfGroup(
  compiler: Compiler,
  rows: ContextFilter,
  groups: Relation,
  { groups: columns }: Summarize,
): ContextFilter {
  const matches = (tuples: Relation) =>
    columns.map(({ value, lineage }, i): readonly [RelationColumn, RelationColumn] => [
      lineage ? compiler.lineageColumn(tuples, lineage) : tuples.columns[value.index]!,
      groups.columns[i]!,
    ]);
  return { ...rows, matches, group: groups };
}

/** Without group columns, all rows form one group; an empty table has no group. */
function oneIfAny(compiler: Compiler, relation: Relation): Relation {
  return { ...compiler.single([]), where: [`EXISTS (SELECT 1${tailOf(relation)})`] };
}
