import type { Literal, Node } from './ast.ts';

/** Operator precedence, as in the parser: an operand with lower precedence is put in parentheses. */
const LEVELS = { or: 1, and: 2, eq: 3, ne: 3, gt: 4, ge: 4, lt: 4, le: 4, add: 5, sub: 5 } as const;
const MULTIPLICATIVE = 6;
const UNARY = 7;
const SUFFIXED = 8;
const PRIMARY = 9;

/** Prints an expression so that parsing the result yields the same expression. */
export function print(node: Node, atLeast = 0): string {
  const level = levelOf(node);
  const text = write(node, level);
  return level < atLeast ? `(${text})` : text;
}

function levelOf(node: Node): number {
  switch (node.kind) {
    case 'junction':
      return LEVELS[node.operator];
    case 'binary':
      if (node.operator === 'has') return SUFFIXED;
      return node.operator in LEVELS ? LEVELS[node.operator as keyof typeof LEVELS] : MULTIPLICATIVE;
    case 'unary':
      return UNARY;
    case 'in':
      return SUFFIXED;
    default:
      return PRIMARY;
  }
}

function write(node: Node, level: number): string {
  switch (node.kind) {
    case 'literal':
      return printLiteral(node);
    case 'path':
      return node.segments.join('/');
    case 'call':
      return `${node.name}(${node.args.map((arg) => print(arg)).join(',')})`;
    case 'junction':
      return node.args.map((arg) => print(arg, level + 1)).join(` ${node.operator} `);
    case 'binary': {
      const right = print(node.right, node.operator === 'has' ? PRIMARY : level + 1);
      return `${print(node.left, level)} ${node.operator} ${right}`;
    }
    case 'unary':
      if (node.operator === 'not') return `not ${print(node.operand, UNARY)}`;
      // A minus before a number would become part of the literal, and two minuses are not valid syntax.
      return isNumber(node.operand) ? `-(${print(node.operand)})` : `-${print(node.operand, SUFFIXED)}`;
    case 'in':
      return `${print(node.operand, SUFFIXED)} in (${node.values.map(printLiteral).join(',')})`;
    case 'lambda': {
      const body = node.body ? `${node.variable}:${print(node.body)}` : '';
      return `${node.collection.segments.join('/')}/${node.operator}(${body})`;
    }
  }
}

/** Whether its text could begin with a digit. */
function isNumber(node: Node): boolean {
  if (node.kind === 'literal') return true;
  if (node.kind === 'in') return isNumber(node.operand);
  return node.kind === 'binary' && node.operator === 'has' && isNumber(node.left);
}

export function printLiteral(literal: Literal): string {
  switch (literal.type) {
    case 'string':
      return quoted(literal.value);
    case 'duration':
      return `duration'${literal.text}'`;
    case 'enum':
      return `${literal.name}${quoted(literal.value)}`;
    case 'null':
    case 'boolean':
    case 'guid':
      return String(literal.value);
    default:
      return literal.text;
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
