import { StoreError } from '../errors.ts';
import type { Order, Position, Query, ScalarType } from '../types.ts';
import { columnValue, comparable, storable } from '../values.ts';
import { type Dialect, Parameters, type SqlValue } from './dialect.ts';
import { FilterCompiler } from './filter.ts';
import type { Layout } from './layout.ts';

export interface Statement {
  readonly sql: string;
  readonly values: SqlValue[];
}

interface OrderColumn {
  readonly field: string;
  readonly name: string;
  readonly type: ScalarType;
  readonly descending: boolean;
  readonly required: boolean;
}

/**
 * Selects a page in order, with one extra row that shows whether there is a next page. Rows are `[part, key, etag, body]`; lower parts come
 * first, and each part is in order.
 */
export function pageStatement(layout: Layout<never>, dialect: Dialect, query: Query): Statement {
  const parameters = new Parameters(dialect);
  const { orderBy, parts } = pageOrder(layout, dialect, query);
  const positions = parts.map((conditions) => conditions.map((condition) => condition(parameters, dialect)));
  // Computed once for all parts: a filter may have thousands of values, and the number of parameters is limited.
  const base = baseConditions(new FilterCompiler(layout, dialect, parameters), query);
  const limit = parameters.add(query.limit + 1);
  const offset = query.skip ? ` OFFSET ${parameters.add(query.skip)}` : '';
  const selects = positions.map((position, part) => {
    // The position comes first: given two lower bounds on a column, SQLite seeks to the first one in the query. With the bound of the
    // prefix or the filter first, every page would be read from the start of the list.
    const where = whereClause([...position, ...base]);
    return `SELECT ${part} AS part, key, etag, body FROM ${layout.table}${where} ORDER BY ${orderBy} LIMIT ${limit}${offset}`;
  });
  const sql =
    selects.length === 1
      ? selects[0]!
      : selects.map((select, part) => `SELECT * FROM (${select}) AS p${part}`).join(' UNION ALL ');
  return { sql, values: parameters.values };
}

export interface PageOrder {
  readonly orderBy: string;
  /** The range of the query after its position, as a list of index ranges in order; each is a list of conditions. */
  readonly parts: readonly (readonly Condition[])[];
}

/** Throws if the query cannot have this order, or its position belongs to another order. */
export function pageOrder(layout: Layout<never>, dialect: Dialect, query: Query): PageOrder {
  if (query.after && query.skip) throw new StoreError('BAD_QUERY', 'a query with a position cannot skip documents');
  const order = orderColumns(layout, query);
  const orderBy = order.map((by) => by.name + direction(by, dialect)).join(', ');
  return { orderBy, parts: query.after ? partsAfter(order, checkedPosition(order, query.after)) : [[]] };
}

export function countStatement(
  layout: Layout<never>,
  dialect: Dialect,
  query: Pick<Query, 'prefix' | 'filter'>,
): Statement {
  const parameters = new Parameters(dialect);
  const where = baseConditions(new FilterCompiler(layout, dialect, parameters), query);
  return { sql: `SELECT count(*) AS n FROM ${layout.table}${whereClause(where)}`, values: parameters.values };
}

/** Returns the position after a page that ends with this document. */
export function positionOf<T>(layout: Layout<T>, query: Query, key: string, document: T): Position {
  const fields = fieldOrders(query).map((by) => columnValue(layout.columnOf.get(by.field)!.source, document));
  return [...fields, key];
}

export function baseConditions(compiler: FilterCompiler, query: Pick<Query, 'prefix' | 'filter'>): string[] {
  const conditions: string[] = [];
  if (query.prefix) conditions.push(compiler.startsWith('key', storable(query.prefix)));
  if (query.filter) conditions.push(compiler.compile(query.filter));
  return conditions;
}

export function whereClause(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

/** The key follows the direction of the last field, so that one index serves both directions, read forwards or backwards. */
function orderColumns(layout: Layout<never>, query: Query): OrderColumn[] {
  const columns: OrderColumn[] = fieldOrders(query).map((by) => {
    const column = layout.columnOf.get(by.field);
    if (!column) throw new StoreError('BAD_QUERY', `${layout.collection.name} cannot be ordered by '${by.field}'`);
    const { name, type, required = false } = column;
    return { field: by.field, name, type, descending: by.descending === true, required };
  });
  const last = query.order?.at(-1);
  columns.push({ field: 'key', name: 'key', type: 'text', descending: last?.descending === true, required: true });
  return columns;
}

/** A query may name the key as the last (or only) order, to set its direction. */
function fieldOrders(query: Query): readonly Order[] {
  return (query.order ?? []).filter((by) => by.field !== 'key');
}

function direction(by: OrderColumn, dialect: Dialect): string {
  if (by.required) return by.descending ? ' DESC' : '';
  return by.descending ? dialect.descending : dialect.ascending;
}

function checkedPosition(order: readonly OrderColumn[], position: Position): Position {
  if (position.length !== order.length) throw new StoreError('BAD_QUERY', 'the position belongs to another order');
  return position.map((value, i) => {
    const by = order[i]!;
    if (value === null && by.name !== 'key') return null;
    if (value === null) throw new StoreError('BAD_QUERY', 'the position has no key');
    return comparable(by.field, by.type, value);
  });
}

/** A condition whose values become parameters of the enclosing statement. */
export type Condition = (parameters: Parameters, dialect: Dialect) => string;

/**
 * The documents after a position, as a list of index ranges in order. A single row comparison suffices if neither an absent value nor a
 * change of direction is involved. An OR of conditions never does, because engines then read from the start.
 */
function partsAfter(order: readonly OrderColumn[], position: Position): Condition[][] {
  const [first, ...rest] = order;
  const [value, ...restPosition] = position;
  if (!first || value === undefined) return [];
  if (order.every((by) => !by.descending) && position.every((each) => each !== null)) {
    return [[rowComparison(order, position, '>')]];
  }
  if (rest.length === 0) return [[rowComparison(order, position, first.descending ? '<' : '>')]];
  if (first.descending && value !== null && rest.length === 1 && rest[0]!.descending) {
    return [[rowComparison(order, position, '<')], [() => `${first.name} IS NULL`]];
  }
  const same: Condition =
    value === null
      ? () => `${first.name} IS NULL`
      : (parameters, dialect) => compare(first, '=', value, parameters, dialect);
  const parts = partsAfter(rest, restPosition).map((conditions) => [same, ...conditions]);
  if (value === null) {
    if (!first.descending) parts.push([() => `${first.name} IS NOT NULL`]);
  } else {
    parts.push([(parameters, dialect) => compare(first, first.descending ? '<' : '>', value, parameters, dialect)]);
    if (first.descending) parts.push([() => `${first.name} IS NULL`]);
  }
  return parts;
}

function compare(
  by: OrderColumn,
  operator: string,
  value: string | number | boolean,
  parameters: Parameters,
  dialect: Dialect,
) {
  return `${by.name} ${operator} ${parameters.add(dialect.scalar(value))}`;
}

function rowComparison(order: readonly OrderColumn[], position: Position, operator: '<' | '>'): Condition {
  return (parameters, dialect) => {
    const placeholders = position.map((value) => parameters.add(value === null ? null : dialect.scalar(value)));
    if (order.length === 1) return `${order[0]!.name} ${operator} ${placeholders[0]}`;
    return `(${order.map((by) => by.name).join(', ')}) ${operator} (${placeholders.join(', ')})`;
  };
}
