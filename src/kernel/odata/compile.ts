import type { Order } from '../store/types.ts';
import type { Node, OrderItem } from './ast.ts';
import { Binder } from './bind.ts';
import type { Predicate, Property } from './bound.ts';
import { errorAt } from './errors.ts';
import { parseOrderBy } from './options.ts';
import { parseFilter } from './parser.ts';
import type { EntityShape } from './shape.ts';
import { type Translation, translate } from './translate.ts';

export interface CompiledFilter extends Translation {
  /** The complete filter, for evaluation in memory. */
  readonly predicate: Predicate;
}

/** Parses a `$filter` for a list and splits it between the store and memory. */
export function compileFilter<T>(
  shape: EntityShape<T>,
  source: string,
  now: number,
  rewrite: (node: Node, source: string) => Node = (node) => node,
): CompiledFilter {
  const node = rewrite(parseFilter(source), source);
  const predicate = bindFilter(shape, node, '$filter', source, now);
  const translation = translate(predicate);
  if (translation.residual && shape.scan === 'refused') {
    const [code, problem] = translation.heavy
      ? (['TooComplex', `the filter is too complex for the list of ${shape.name}`] as const)
      : ([
          'NotSupported',
          `the list of ${shape.name} can only be filtered by indexed properties, which does not allow this`,
        ] as const);
    throw errorAt(code, '$filter', source, node.at, problem);
  }
  return { predicate, ...translation };
}

/** Binds a parsed expression to a shape. */
export function bindFilter<T>(
  shape: EntityShape<T>,
  node: Node,
  option: string,
  source: string,
  now: number,
): Predicate {
  return new Binder(shape, option, source, now).predicate(node);
}

/** Parses an `$orderby`; only fields of the store are accepted. */
export function compileOrder<T>(shape: EntityShape<T>, source: string): Order[] {
  return bindOrder(shape, parseOrderBy(source), '$orderby', source).map(({ field, descending }) => ({
    field,
    descending,
  }));
}

export function bindOrder<T>(
  shape: EntityShape<T>,
  items: readonly OrderItem[],
  option: string,
  source: string,
): { field: string; descending: boolean }[] {
  return storedOrder(shape, bindOrderValues(shape, items, option, source), option, source);
}

/** An order criterion. */
export interface BoundOrder {
  readonly value: Property;
  readonly descending: boolean;
  /** Offset in the text. */
  readonly at: number;
}

/** Binds an `$orderby`, including properties without a field in the store. */
export function bindOrderValues<T>(
  shape: EntityShape<T>,
  items: readonly OrderItem[],
  option: string,
  source: string,
): BoundOrder[] {
  const binder = new Binder(shape, option, source, 0);
  return items.map(({ expression, descending }) => {
    const value = binder.value(expression);
    if (value.kind !== 'property' || value.property.shape.orderable === false)
      throw binder.error('NotSupported', expression.at, `${shape.name} cannot be ordered by this`);
    return { value, descending, at: expression.at };
  });
}

export function storedOrder<T>(
  shape: EntityShape<T>,
  bound: readonly BoundOrder[],
  option: string,
  source: string,
): { field: string; descending: boolean }[] {
  const orders = new Map<string, { field: string; descending: boolean }>();
  for (const { value, descending, at } of bound) {
    const { field } = value.property.shape;
    if (field === undefined)
      throw errorAt('NotSupported', option, source, at, `${shape.name} cannot be ordered by this`);
    // A repeated property has no effect.
    if (!orders.has(field)) orders.set(field, { field, descending });
    // Nothing after the key has an effect, because keys are unique.
    if (field === 'key') break;
  }
  return [...orders.values()];
}
