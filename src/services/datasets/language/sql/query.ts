import type { ColumnType, Statement } from '../../../../kernel/store/index.ts';
import type { QueryPlan } from '../plan/types.ts';
import type { ScalarType } from '../scalar/types.ts';
import { Compiler } from './compiler.ts';
import type { Dialect } from './dialect.ts';
import { type Environment, ROOT, withRows, withVariable } from './environment.ts';
import { ordered, startingAt } from './order.ts';
import { tailOf } from './relation.ts';

/** The column type in which the store returns a value of each scalar type. */
const STORED: Readonly<Record<ScalarType, ColumnType>> = {
  int: 'int64',
  decimal: 'decimal',
  double: 'double',
  boolean: 'boolean',
  date: 'datetime',
  text: 'text',
  variant: 'text',
  blank: 'int64',
};

/** Compiles a whole query to one statement. */
export function statementOf(plan: QueryPlan, dialect: Dialect, sqlName: (storage: string) => string): Statement {
  const compiler = new Compiler(dialect, sqlName);
  let environment: Environment = ROOT;
  for (const binding of plan.bindings) {
    const value = 'columns' in binding.value ? environment : compiler.scalar(binding.value, environment);
    environment = withVariable(environment, binding, value);
  }
  const relation = compiler.table(plan.table, environment);
  const inner = withRows(environment, plan.scope, relation);
  const keys = plan.order.map(({ value, descending }) => ({ value: compiler.scalar(value, inner), descending }));
  const start = plan.startAt.map((each, i) =>
    compiler.converted(compiler.scalar(each, environment), keys[i]!.value.type),
  );
  const extra = start.length > 0 ? [startingAt(compiler, keys, start)] : [];
  const select = relation.columns.map(({ value }, i) => `${value} AS v_${i}`).join(', ');
  const order = keys.map(({ value, descending }) => ordered(compiler, value, descending)).join(', ');
  const text = `SELECT ${select}${tailOf(relation, extra)}${order === '' ? '' : ` ORDER BY ${order}`}`;
  compiler.bound(text);
  const columns = relation.columns.map(({ type }) => STORED[type]);
  return { ...compiler.parameters.finish(text, dialect), columns };
}
