import type { ExpandOptions, Node } from '../../../kernel/odata/index.ts';

/** Filters of expansions by ids: `extensions($filter=id eq '…')`, `singleValueExtendedProperties($filter=id eq '…' or id eq '…')`. */

type Normal = (id: string) => string;

/** Normalises every id in the filter. */
export const withNormalIds = (options: ExpandOptions, normal: Normal): ExpandOptions =>
  options.filter ? { ...options, filter: normalised(options.filter, normal) } : options;

function normalised(node: Node, normal: Normal): Node {
  switch (node.kind) {
    case 'binary':
      if (isId(node.left)) return { ...node, right: literal(node.right, normal) };
      return isId(node.right) ? { ...node, left: literal(node.left, normal) } : node;
    case 'in':
      return isId(node.operand) ? { ...node, values: node.values.map((each) => literal(each, normal)) } : node;
    case 'junction':
      return { ...node, args: node.args.map((each) => normalised(each, normal)) };
    case 'unary':
      return { ...node, operand: normalised(node.operand, normal) };
    default:
      return node;
  }
}

const isId = (node: Node): boolean => node.kind === 'path' && node.segments.at(-1)?.toLowerCase() === 'id';

const literal = <N extends Node>(node: N, normal: Normal): N =>
  node.kind === 'literal' && node.type === 'string' ? { ...node, value: normal(node.value) } : node;

/** True if the filter matches only ids that it names. */
export function namesIds(node: Node): boolean {
  switch (node.kind) {
    case 'binary':
      return node.operator === 'eq' && (isId(node.left) || isId(node.right));
    case 'in':
      return isId(node.operand);
    case 'junction':
      return node.operator === 'and' ? node.args.some(namesIds) : node.args.every(namesIds);
    default:
      return false;
  }
}
