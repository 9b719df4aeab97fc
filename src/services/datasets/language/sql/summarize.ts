import type { Summarize } from '../plan/types.ts';
import type { Compiler } from './compiler.ts';
import { type ContextFilter, type Environment, withFilters, withRows } from './environment.ts';
import { columnsOf, rowFilters, tableFilter, without } from './filters.ts';
import type { Relation } from './relation.ts';

/** SUMMARIZE: the combinations that occur in a table, and values of the rows of each. */
export function summarize(compiler: Compiler, plan: Summarize, environment: Environment): Relation {
  const relation = compiler.table(plan.table, environment);
  const inner = withRows(environment, plan.scope, relation);
  const columns = plan.groups.map(({ value, column }) => compiler.columnOf(compiler.scalar(value, inner), column));
  const groups = compiler.derived({ ...relation, columns }, { distinct: true });
  if (plan.values.length === 0) return groups;
  const group = rowFilters(compiler, groups);
  const rows = rowsOfGroup(compiler, tableFilter(compiler, plan.table, environment), group);
  const filters = [...without(environment.filters, columnsOf([rows, ...group])), rows, ...group];
  const within = withFilters(withRows(environment, plan.groupScope, groups), filters);
  const values = plan.values.map((each) => compiler.columnOf(compiler.scalar(each, within)));
  return compiler.derived({ ...groups, columns: [...groups.columns, ...values] });
}

/** The rows of the table that are in a group. A scan of that table is filtered by the columns of the group anyway; other tables are reached by these rows only. */
function rowsOfGroup(compiler: Compiler, rows: ContextFilter, group: readonly ContextFilter[]): ContextFilter {
  return {
    ...rows,
    tuples: () => {
      const relation = rows.tuples();
      const where = group.map(({ columns, row }) => {
        const { key } = compiler.lineageColumn(relation, columns[0]!);
        return `${key} ${compiler.dialect.same} ${row!.relation.columns[row!.index]!.key}`;
      });
      return { ...relation, where: [...relation.where, ...where] };
    },
  };
}
