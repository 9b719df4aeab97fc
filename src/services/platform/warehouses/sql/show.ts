import { problems } from './problem.ts';
import type { Expression } from './syntax.ts';
import { typeText } from './types.ts';

const MOST_PARTS = 20_000;

/** An expression in the notation of the platform, which is the name of a column without an alias. */
export function shown(expression: Expression, column: (column: ColumnName) => string = lastPart): string {
  let parts = 0;
  const written = (part: Expression): string => {
    // The operand of CASE is repeated for each of its conditions, which grows exponentially in nested expressions.
    if (++parts > MOST_PARTS) throw problems.tooMuch(`an expression has more than ${MOST_PARTS} parts`);
    return part.is === 'column' ? column(part) : write(part, written);
  };
  return written(expression);
}

type ColumnName = Extract<Expression, { is: 'column' }>;

const lastPart = ({ parts }: ColumnName): string => parts.at(-1) as string;

function write(expression: Expression, written: (part: Expression) => string): string {
  switch (expression.is) {
    case 'literal':
      return expression.shown;
    case 'column':
      return lastPart(expression);
    case 'parameter':
      return typeof expression.name === 'number' ? '?' : `:${expression.name}`;
    case 'negative':
      return `(- ${written(expression.of)})`;
    case 'not':
      return `(NOT ${written(expression.of)})`;
    case 'binary':
      return expression.op === '||'
        ? `concat(${written(expression.left)}, ${written(expression.right)})`
        : `(${written(expression.left)} ${expression.op.toUpperCase()} ${written(expression.right)})`;
    case 'isNull':
      return `(${written(expression.of)} IS ${expression.not ? 'NOT ' : ''}NULL)`;
    case 'in':
      return `(${expression.not ? 'NOT ' : ''}(${written(expression.of)} IN (${expression.list.map(written).join(', ')})))`;
    case 'like': {
      const word = expression.ignoreCase ? 'ILIKE' : 'LIKE';
      return `${expression.not ? 'NOT ' : ''}${written(expression.of)} ${word} ${written(expression.pattern)}`;
    }
    case 'between':
      return `between(${[expression.of, expression.low, expression.high].map(written).join(', ')})`;
    case 'case': {
      const { of, whens: each } = expression;
      const whens = each.map(({ condition, value }) => {
        const tested = of ? `(${written(of)} = ${written(condition)})` : written(condition);
        return `WHEN ${tested} THEN ${written(value)}`;
      });
      return `CASE ${whens.join(' ')}${expression.otherwise ? ` ELSE ${written(expression.otherwise)}` : ''} END`;
    }
    case 'cast':
      return `CAST(${written(expression.of)} AS ${typeText(expression.type)})`;
    case 'call': {
      const args = expression.star ? '1' : expression.args.map(written).join(', ');
      return `${expression.name}(${expression.distinct ? 'DISTINCT ' : ''}${args})`;
    }
    case 'subquery':
      return 'scalarsubquery()';
    case 'exists':
      return 'exists()';
    case 'inQuery':
      return `(${expression.not ? 'NOT ' : ''}(${written(expression.of)} IN (listquery())))`;
  }
}
