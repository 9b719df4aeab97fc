import type { Expression, Filter } from '../store/types.ts';

/**
 * The cost of a filter in the store for each document that no index excludes, in comparisons of a field with a value. With SQLite, the
 * jar's own thread spends that time. The cost of a function is that of a call from the database into JavaScript.
 */
const CALL = 20;
const SEARCH = 5;

/** The maximum weight that is left to the store: ten functions, or two hundred comparisons. */
export const HEAVIEST = 200;

export function weightOf(filter: Filter): number {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.args.reduce((sum, arg) => sum + weightOf(arg), 0);
    case 'not':
      return weightOf(filter.arg);
    case 'compare':
      return 1 + calls(filter.left) + calls(filter.right);
    case 'among':
      return SEARCH + calls(filter.left);
    case 'in':
    case 'has':
    case 'hasAny':
      return SEARCH;
    case 'matches':
      return SEARCH * filter.parts.length;
    default:
      return 1;
  }
}

function calls(expression: Expression): number {
  if (!('call' in expression)) return 0;
  return expression.args.reduce((sum, arg) => sum + calls(arg), CALL);
}
