import {
  Binder,
  compileFilter,
  type EntityShape,
  Evaluator,
  type ListRequest,
  type Progress,
  parseOrderBy,
  type QueryOptions,
} from '../../../kernel/odata/index.ts';
import { compareScalars, type Scalar, type Stored } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import type { BusinessRecord } from '../records/collection.ts';

/** Lists without a suitable index, and derived rows: sorted here in memory. */

export type SortedRequest = Pick<
  ListRequest<BusinessRecord>,
  'shape' | 'options' | 'rewrite' | 'now' | 'rules' | 'preferredSize'
>;

interface SortedPage {
  readonly items: readonly Stored<BusinessRecord>[];
  readonly count?: number;
  readonly next?: Progress;
}

/** True if `$orderby` names a property without a column. */
export function needsSorting(shape: EntityShape<BusinessRecord>, { orderBy }: QueryOptions): boolean {
  if (orderBy === undefined) return false;
  const binder = binderOf(shape, orderBy);
  return parseOrderBy(orderBy).some(({ expression }) => {
    const value = binder.value(expression);
    return value.kind !== 'property' || value.property.shape.field === undefined;
  });
}

export function sortedPage(request: SortedRequest, all: readonly Stored<BusinessRecord>[]): SortedPage {
  const { options, rules, preferredSize = rules.size } = request;
  const { top = Number.POSITIVE_INFINITY, skip = 0, skipToken, count } = options;
  const sorted = ordered(request, chosen(request, all));
  const from = skipToken === undefined ? skip : behind(sorted, skipToken);
  const limit = Math.min(top, preferredSize, rules.most);
  const items = sorted.slice(from, from + limit);
  const remaining = top - items.length;
  const isEnd = from + items.length >= sorted.length || remaining === 0 || items.length === 0;
  return {
    items,
    ...(count && { count: sorted.length }),
    ...(!isEnd && {
      next: { after: [(items.at(-1) as Stored<BusinessRecord>).key], ...(Number.isFinite(remaining) && { remaining }) },
    }),
  };
}

function chosen({ shape, options, rewrite, now }: SortedRequest, all: readonly Stored<BusinessRecord>[]) {
  if (options.filter === undefined) return all;
  const { predicate } = compileFilter(shape, options.filter, now, rewrite);
  const evaluator = new Evaluator(shape.collection);
  return all.filter(({ value }) => evaluator.matches(predicate, value));
}

function ordered({ shape, options: { orderBy } }: SortedRequest, items: readonly Stored<BusinessRecord>[]) {
  if (orderBy === undefined) return items;
  const binder = binderOf(shape, orderBy);
  const evaluator = new Evaluator(shape.collection);
  const orders = parseOrderBy(orderBy).map(({ expression, descending }) => ({
    value: binder.value(expression),
    direction: descending ? -1 : 1,
  }));
  const keyed = items.map((item) => ({ item, keys: orders.map(({ value }) => evaluator.valueOf(value, item.value)) }));
  keyed.sort((a, b) => {
    for (const [i, { direction }] of orders.entries()) {
      const order = compareAbsentFirst(a.keys[i] ?? null, b.keys[i] ?? null);
      if (order !== 0) return order * direction;
    }
    return a.item.key < b.item.key ? -1 : 1;
  });
  return keyed.map(({ item }) => item);
}

const binderOf = (shape: EntityShape<BusinessRecord>, orderBy: string): Binder =>
  new Binder(shape, '$orderby', orderBy, 0);

function behind(items: readonly Stored<BusinessRecord>[], token: string): number {
  const id = token.trim().replace(/^'|'$/g, '').toLowerCase();
  const index = items.findIndex(({ value }) => value.id === id);
  if (index < 0) throw errors.SkipTokenIsNoLongerValid();
  return index + 1;
}

function compareAbsentFirst(a: Scalar | null, b: Scalar | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compareScalars(a, b);
}
