import { type Node, parseFilter, parseOrderBy, refusing } from '../../../kernel/odata/index.ts';
import type { MailCall } from '../api/request.ts';
import { codeOf, optionsOf } from '../api/show.ts';
import { errors } from '../errors.ts';
import { castFilter, uncastNames } from './cast-filter.ts';

/** Normalises and checks the query options for lists of messages. */

/** Removes types from the paths in query options: they become filter conditions, or have no effect. */
export function uncast(call: MailCall): MailCall {
  const query = Object.fromEntries(
    Object.entries(call.query).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value];
      if (/^\$?filter$/i.test(name)) return [name, castFilter(value)];
      return /^\$?(?:select|orderby)$/i.test(name) ? [name, uncastNames(value)] : [name, value];
    }),
  );
  return { ...call, query };
}

/** Properties in `$orderby` must also come first in `$filter`, in the same order. */
export async function checkOrder(call: MailCall): Promise<void> {
  const { filter, orderBy } = optionsOf(call);
  if (filter === undefined || orderBy === undefined) return;
  await refusing(() => {
    const asked = [...new Set(pathsIn(parseFilter(filter)))];
    const orders = parseOrderBy(orderBy).map(({ expression }) => [...pathsIn(expression)]);
    if (orders.some(([path], at) => path !== asked[at])) throw errors.InefficientFilter();
  }, codeOf);
}

function* pathsIn(node: Node): Generator<string> {
  switch (node.kind) {
    case 'path':
      yield node.segments.join('/').toLowerCase();
      break;
    case 'call':
    case 'junction':
      for (const each of node.args) yield* pathsIn(each);
      break;
    case 'binary':
      yield* pathsIn(node.left);
      yield* pathsIn(node.right);
      break;
    case 'unary':
      yield* pathsIn(node.operand);
      break;
    case 'in':
      yield* pathsIn(node.operand);
      break;
    case 'lambda':
      yield* pathsIn(node.collection);
      break;
    case 'literal':
      break;
  }
}
