import type { Expression } from './syntax.ts';
import { typeText } from './types.ts';

/** An expression as the platform writes it, which is the name of a column without an alias. */
export function shown(expression: Expression): string {
  switch (expression.is) {
    case 'literal':
      return expression.shown;
    case 'column':
      return expression.parts.at(-1) as string;
    case 'parameter':
      return typeof expression.name === 'number' ? '?' : `:${expression.name}`;
    case 'negative':
      return `(- ${shown(expression.of)})`;
    case 'not':
      return `(NOT ${shown(expression.of)})`;
    case 'binary':
      return expression.op === '||'
        ? `concat(${shown(expression.left)}, ${shown(expression.right)})`
        : `(${shown(expression.left)} ${expression.op.toUpperCase()} ${shown(expression.right)})`;
    case 'isNull':
      return `(${shown(expression.of)} IS ${expression.not ? 'NOT ' : ''}NULL)`;
    case 'in':
      return `(${expression.not ? 'NOT ' : ''}(${shown(expression.of)} IN (${expression.list.map(shown).join(', ')})))`;
    case 'like': {
      const word = expression.ignoreCase ? 'ILIKE' : 'LIKE';
      return `${expression.not ? 'NOT ' : ''}${shown(expression.of)} ${word} ${shown(expression.pattern)}`;
    }
    case 'case': {
      const whens = expression.whens.map(({ condition, value }) => `WHEN ${shown(condition)} THEN ${shown(value)}`);
      return `CASE ${whens.join(' ')}${expression.otherwise ? ` ELSE ${shown(expression.otherwise)}` : ''} END`;
    }
    case 'cast':
      return `CAST(${shown(expression.of)} AS ${typeText(expression.type)})`;
    case 'call': {
      const args = expression.star ? '1' : expression.args.map(shown).join(', ');
      return `${expression.name}(${expression.distinct ? 'DISTINCT ' : ''}${args})`;
    }
  }
}
