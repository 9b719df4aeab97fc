import type { Table } from '../catalogue.ts';
import type { BaseTable, Binding, Constant, Scalar, TablePlan } from '../plan/types.ts';
import type { Literal } from '../syntax/ast.ts';
import { isTable, planColumn } from './scopes.ts';

export const BLANK: Constant = { kind: 'constant', type: 'blank', value: null };

export const baseTable = (table: Table): BaseTable => ({
  kind: 'base',
  table,
  columns: table.columns.map(planColumn),
  base: table,
});

export function constant(value: Literal['value']): Constant {
  switch (typeof value) {
    case 'bigint':
      return { kind: 'constant', type: 'int', value };
    case 'number':
      return { kind: 'constant', type: 'double', value };
    case 'string':
      return { kind: 'constant', type: 'text', value };
    case 'boolean':
      return { kind: 'constant', type: 'boolean', value: value ? 1 : 0 };
    default:
      return { kind: 'constant', type: 'date', value: value.serial };
  }
}

/** Binds values that a plan uses more than once to names, so that each is computed once. */
export function naming(values: readonly Scalar[], body: (...named: Scalar[]) => Scalar): Scalar {
  const bindings = values.map((value, i): Binding => ({ name: `value ${i + 1}`, value }));
  const result = body(...bindings.map((binding) => scalarReference(binding)));
  return { kind: 'scalar let', type: result.type, bindings, body: result };
}

function scalarReference(binding: Binding): Scalar {
  const reference = referenceTo(binding);
  if (isTable(reference)) throw new Error(`${binding.name} is a table`);
  return reference;
}

/** A reference to a variable. */
export function referenceTo(binding: Binding): Scalar | TablePlan {
  const { value } = binding;
  if (isTable(value)) return { kind: 'table variable', binding, columns: value.columns, base: value.base };
  return value.kind === 'constant' ? value : { kind: 'scalar variable', type: value.type, binding };
}
