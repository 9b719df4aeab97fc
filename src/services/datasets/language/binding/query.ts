import type { Binding, QueryPlan } from '../plan/types.ts';
import type { Query } from '../syntax/ast.ts';
import type { Binder } from './binder.ts';
import { comparison } from './operators.ts';
import { EMPTY, type Environment, scopeOf, within, withVariable } from './scopes.ts';

/** Binds a whole query. Only the first table is returned; the others are only validated. */
export function bindQuery(binder: Binder, { definitions, evaluations }: Query): QueryPlan {
  for (const each of definitions)
    if (each.kind === 'measure definition') binder.define(each.name, each.table, each.expression, each.at);
  let environment: Environment = EMPTY;
  const bindings: Binding[] = [];
  for (const each of definitions) {
    if (each.kind === 'measure definition') {
      binder.measure(each.name, each.at, EMPTY);
      continue;
    }
    const binding = binder.bindVariable(each.name, each.value, each.at, environment);
    bindings.push(binding);
    environment = withVariable(environment, binding);
  }
  const [first] = evaluations.map(({ table: expression, order, startAt, at }) => {
    const table = binder.table(expression, environment);
    const scope = scopeOf(table);
    const keys = order.map(({ key, descending }) => ({
      value: binder.scalar(key, within(environment, scope)),
      descending,
    }));
    const start = startAt.map((each, i) => {
      const value = binder.scalar(each, environment);
      if (value.kind !== 'constant' || each.kind === 'name')
        return binder.fail('START AT takes constants only.', each.at);
      // Rejects values whose type can never equal the key.
      comparison(binder, '=', keys[i]!.value, value, each.at);
      return value;
    });
    return { table, scope, order: keys, startAt: start, at };
  });
  return { ...first!, bindings, furtherTables: evaluations.length > 1 };
}
