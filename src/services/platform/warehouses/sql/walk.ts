import type { Expression } from './syntax.ts';

/** The direct subexpressions of an expression. Expressions inside a subquery are not included. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.is) {
    case 'negative':
    case 'not':
    case 'isNull':
    case 'cast':
    case 'inQuery':
      return [expression.of];
    case 'binary':
      return [expression.left, expression.right];
    case 'in':
      return [expression.of, ...expression.list];
    case 'like':
      return [expression.of, expression.pattern];
    case 'between':
      return [expression.of, expression.low, expression.high];
    case 'case':
      return [
        ...(expression.of ? [expression.of] : []),
        ...expression.whens.flatMap(({ condition, value }) => [condition, value]),
        ...(expression.otherwise ? [expression.otherwise] : []),
      ];
    case 'call':
      return expression.args;
    default:
      return [];
  }
}

/** The expression with other subexpressions, in the order of `partsOf`. */
export function withParts(expression: Expression, parts: readonly Expression[]): Expression {
  const [first = expression, second = expression, third = expression] = parts;
  switch (expression.is) {
    case 'negative':
    case 'not':
    case 'isNull':
    case 'cast':
    case 'inQuery':
      return { ...expression, of: first };
    case 'binary':
      return { ...expression, left: first, right: second };
    case 'in':
      return { ...expression, of: first, list: parts.slice(1) };
    case 'like':
      return { ...expression, of: first, pattern: second };
    case 'between':
      return { ...expression, of: first, low: second, high: third };
    case 'case': {
      const rest = expression.of ? parts.slice(1) : parts;
      const whens = expression.whens.map((_, index) => ({
        condition: rest[2 * index] as Expression,
        value: rest[2 * index + 1] as Expression,
      }));
      return {
        ...expression,
        of: expression.of && first,
        whens,
        otherwise: expression.otherwise && rest.at(-1),
      };
    }
    case 'call':
      return { ...expression, args: parts };
    default:
      return expression;
  }
}

/** Returns true if `holds` accepts an expression or one of its subexpressions. */
export const someOf = (expression: Expression, holds: (part: Expression) => boolean): boolean =>
  holds(expression) || partsOf(expression).some((part) => someOf(part, holds));

/** The expression with some of its subexpressions replaced; `change` returns undefined for those that stay. */
export function replaced(expression: Expression, change: (part: Expression) => Expression | undefined): Expression {
  const changed = change(expression);
  if (changed) return changed;
  const parts = partsOf(expression);
  return parts.length === 0
    ? expression
    : withParts(
        expression,
        parts.map((part) => replaced(part, change)),
      );
}

/** The operands of a conjunction. */
export function conjuncts(condition: Expression | undefined): readonly Expression[] {
  const found: Expression[] = [];
  const left = condition ? [condition] : [];
  for (let next = left.pop(); next; next = left.pop()) {
    if (next.is === 'binary' && next.op === 'and') left.push(next.right, next.left);
    else found.push(next);
  }
  return found;
}
