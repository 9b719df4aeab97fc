import type { Comparator, Scalar } from '../plan/types.ts';
import type { Binary, Membership, Unary } from '../syntax/ast.ts';
import type { Binder } from './binder.ts';
import type { Environment } from './scopes.ts';
import { areComparable, arithmeticType, TYPE_NAMES } from './types.ts';

const COMPARATORS: readonly string[] = ['=', '==', '<>', '<', '>', '<=', '>='] satisfies Comparator[];

const isComparator = (operator: string): operator is Comparator => COMPARATORS.includes(operator);

export function bindUnary(binder: Binder, { operator, operand, at }: Unary, environment: Environment): Scalar {
  const value = binder.scalar(operand, environment);
  if (operator === '+') return value;
  if (operator === 'NOT') return { kind: 'not', type: 'boolean', operand: boolean(binder, value, at) };
  if (value.kind === 'constant' && (typeof value.value === 'bigint' || typeof value.value === 'number')) {
    const type = value.type === 'boolean' ? 'int' : value.type;
    return { kind: 'constant', type, value: -value.value };
  }
  const type =
    value.type === 'text' || value.type === 'variant' ? 'double' : value.type === 'boolean' ? 'int' : value.type;
  return { kind: 'negation', type, operand: value };
}

export function bindBinary(binder: Binder, expression: Binary, environment: Environment): Scalar {
  const { operator, at } = expression;
  const left = binder.scalar(expression.left, environment);
  const right = binder.scalar(expression.right, environment);
  if (operator === '&') return { kind: 'concatenation', type: 'text', left, right };
  if (operator === '&&' || operator === '||') {
    const [a, b] = [boolean(binder, left, expression.left.at), boolean(binder, right, expression.right.at)];
    return { kind: 'logic', type: 'boolean', operator: operator === '&&' ? 'and' : 'or', left: a, right: b };
  }
  if (isComparator(operator)) return comparison(binder, operator, left, right, at);
  return { kind: 'arithmetic', type: arithmeticType(operator, left.type, right.type), operator, left, right };
}

export function comparison(
  binder: Binder,
  operator: Comparator,
  left: Scalar,
  right: Scalar,
  at: Binary['at'],
): Scalar {
  if (!areComparable(left.type, right.type)) {
    binder.fail(
      `Comparison operations do not support comparing values of type ${TYPE_NAMES[left.type]} with values of type ${TYPE_NAMES[right.type]}. Consider using the VALUE or FORMAT function to convert one of the values.`,
      at,
    );
  }
  return { kind: 'comparison', type: 'boolean', operator, left, right };
}

export function bindMembership(binder: Binder, { values, table, at }: Membership, environment: Environment): Scalar {
  const bound = values.map((value) => binder.scalar(value, environment));
  const plan = binder.table(table, environment);
  if (plan.columns.length !== bound.length) {
    binder.fail(`IN compares ${bound.length} values with a table of ${plan.columns.length} columns.`, at);
  }
  for (const [i, value] of bound.entries()) {
    const { type } = plan.columns[i]!;
    if (!areComparable(value.type, type)) {
      binder.fail(
        `IN cannot compare values of type ${TYPE_NAMES[value.type]} with values of type ${TYPE_NAMES[type]}.`,
        at,
      );
    }
  }
  return { kind: 'in', type: 'boolean', values: bound, table: plan };
}

/** Converts to a boolean: numbers are true unless zero, texts are rejected. */
export function boolean(binder: Binder, value: Scalar, at: Binary['at']): Scalar {
  if (value.type === 'text') binder.fail(`Cannot convert a value of type Text to type True/False.`, at);
  return value;
}
