import { type Node, ODataError } from '../../../kernel/odata/index.ts';
import { readMember } from '../model/enum-text.ts';
import type { EnumType, Page, PageProperty, Table } from '../model/types.ts';
import { fieldOf } from '../records/row.ts';

/**
 * Rewrites a `$filter` to the application's dialect: less than OData, with one addition. Stars in a text are wildcards; `or` joins only
 * conditions on one field; lambdas are ignored; `in` and nested calls need a later schema version.
 */
export function filterRewriter(
  page: Pick<Page, 'properties'>,
  table: Table,
  isLaterSchema: boolean,
): (node: Node) => Node {
  const enums = enumsOf(page, table);

  return function rewrite(node: Node): Node {
    switch (node.kind) {
      case 'junction':
        if (node.operator === 'or') checkOneField(node.args);
        return { ...node, args: node.args.map(rewrite) };
      case 'unary':
        return { ...node, operand: rewrite(node.operand) };
      case 'lambda':
        return { kind: 'literal', type: 'boolean', value: true, at: node.at };
      case 'in': {
        if (!isLaterSchema) throw later("'in'");
        const type = node.operand.kind === 'path' ? enums.get(nameOf(node.operand)) : undefined;
        if (!type) return node;
        return { ...node, values: node.values.map((value) => member(type, value) as typeof value) };
      }
      case 'call':
        if (!isLaterSchema && node.args.some((arg) => arg.kind === 'call')) throw later('A function of a function');
        return node;
      case 'binary':
        return comparison(node);
      default:
        return node;
    }
  };

  function comparison(node: Node & { kind: 'binary' }): Node {
    const { left, right, operator } = node;
    for (const side of [left, right]) {
      if (!isLaterSchema && side.kind === 'call' && side.args.some((arg) => arg.kind === 'call'))
        throw later('A function of a function');
    }
    const [path, literal] = left.kind === 'path' ? [left, right] : [right, left];
    if (path.kind !== 'path' || literal.kind !== 'literal') return node;
    const type = enums.get(nameOf(path));
    if (type) {
      const read = member(type, literal);
      return left === path ? { ...node, right: read } : { ...node, left: read };
    }
    if (literal.type !== 'string' || !literal.value.includes('*')) return node;
    if (operator === 'eq') return wildcard(path, literal.value, node.at);
    if (operator === 'ne') {
      return { kind: 'unary', operator: 'not', operand: wildcard(path, literal.value, node.at), at: node.at };
    }
    return node;
  }
}

/** `a*` is a prefix, `*a` a suffix, `*a*` a substring, `a*b` prefix and suffix; `*` matches anything. */
function wildcard(path: Node & { kind: 'path' }, pattern: string, at: number): Node {
  const pieces = pattern.split('*');
  const [first, last] = [pieces[0] as string, pieces.at(-1) as string];
  const text = (value: string): Node => ({ kind: 'literal', type: 'string', value, at });
  const call = (name: string, value: string): Node => ({ kind: 'call', name, args: [path, text(value)], at });
  const args: Node[] = [];
  if (first !== '') args.push(call('startswith', first));
  for (const piece of pieces.slice(1, -1)) if (piece !== '') args.push(call('contains', piece));
  if (last !== '') args.push(call('endswith', last));
  if (args.length === 0) return { kind: 'literal', type: 'boolean', value: true, at };
  return args.length === 1 ? (args[0] as Node) : { kind: 'junction', operator: 'and', args, at };
}

/** As in the real application, `or` can only join conditions on one field. */
function checkOneField(args: readonly Node[]): void {
  const names = new Map(args.flatMap(pathsIn).map((path) => [path.toLowerCase(), path]));
  if (names.size <= 1) return;
  const reason = `an OR operator cannot join conditions on different fields (${[...names.values()].join(', ')})`;
  throw new ODataError('NotSupported', '$filter', reason);
}

/** The properties named in an expression, in lower case. */
export const namesIn = (node: Node): string[] => pathsIn(node).map((path) => path.toLowerCase());

/** The properties named in an expression, as they were written. */
function pathsIn(node: Node): string[] {
  switch (node.kind) {
    case 'path':
      return [node.segments.join('/')];
    case 'junction':
    case 'call':
      return node.args.flatMap(pathsIn);
    case 'unary':
    case 'in':
      return pathsIn(node.operand);
    case 'binary':
      return [...pathsIn(node.left), ...pathsIn(node.right)];
    default:
      return [];
  }
}

const nameOf = ({ segments }: Node & { kind: 'path' }): string => segments.join('/').toLowerCase();

const later = (what: string): Error =>
  new ODataError('NotSupported', '$filter', `${what} in a '$filter' needs the query option $schemaversion=2.1`);

type Literal = Node & { kind: 'literal' };

/** Converts a member, escaped or not, to its stored form. Other texts stay unchanged; a later check refuses them. */
function member(type: EnumType, literal: Literal): Literal {
  if (literal.type !== 'string' && literal.type !== 'enum') return literal;
  const read = readMember(type, literal.value);
  return read === undefined ? literal : { ...literal, value: read };
}

function enumsOf(page: Pick<Page, 'properties'>, table: Table): ReadonlyMap<string, EnumType> {
  const enums = new Map<string, EnumType>();
  const add = (prefix: string, property: PageProperty): void => {
    if (property.kind === 'complex') for (const part of property.parts) add(`${property.name}/`, part);
    if (property.kind !== 'field') return;
    const { type } = fieldOf(table, property.field);
    if (typeof type === 'object') enums.set(`${prefix}${property.name}`.toLowerCase(), type);
  };
  for (const property of page.properties) add('', property);
  return enums;
}
