import { StoreError } from '../errors.ts';
import { findsNothing, type Matches, phraseOf } from '../search/phrase.ts';
import type { Collection, Filter, Scalar } from '../types.ts';
import { comparable, endOfPrefix, storable } from '../values.ts';
import type { Dialect, Parameters } from './dialect.ts';
import { ExpressionCompiler } from './expression.ts';
import type { Column, Layout } from './layout.ts';
import type { Coded } from './views.ts';

const OPERATORS = { lt: '<', le: '<=', gt: '>', ge: '>=' } as const;
const OPPOSITES = { lt: '>=', le: '>', gt: '<=', ge: '<' } as const;

/**
 * The planner of SQLite looks at every pair of conditions. Of a longer row it sees the first and takes the others for one; of a long
 * row of alternatives no index would be left to choose anyway.
 */
const LONGEST_PLANNED = 40;
/** A row of operators counts as one inside another, and SQLite takes only a thousand of those. */
const LONGEST_ROW = 100;

/**
 * Turns filters of one collection into SQL conditions. A condition may be NULL where it means false, so `not` is pushed down
 * to the comparisons, where absent values are asked for by name: that keeps logic two-valued and indexes usable.
 */
export class FilterCompiler {
  readonly #layout: Layout<never>;
  readonly #dialect: Dialect;
  readonly #parameters: Parameters;

  constructor(layout: Layout<never>, dialect: Dialect, parameters: Parameters) {
    this.#layout = layout;
    this.#dialect = dialect;
    this.#parameters = parameters;
  }

  compile(filter: Filter, negated = false): string {
    switch (filter.op) {
      case 'and':
      case 'or':
        return this.#junction(filter.args, (filter.op === 'and') !== negated, negated);
      case 'not':
        return this.compile(filter.arg, !negated);
      case 'has':
        return this.#has(
          filter.field,
          (value) => `${value} = ${this.#parameters.add(storable(filter.value))}`,
          negated,
        );
      case 'hasAny': {
        const list = this.#dialect.list(filter.values.map(storable));
        const isIn = (value: string) => this.#dialect.isIn(this.#dialect.looked(value), this.#parameters.add(list));
        return this.#has(filter.field, isIn, negated);
      }
      case 'compare':
        return new ExpressionCompiler(this.#layout, this.#dialect, this.#parameters).compare(filter, negated);
      case 'among':
        return new ExpressionCompiler(this.#layout, this.#dialect, this.#parameters).among(filter, negated);
      case 'matches':
        return this.#matches(filter, negated);
      default:
        return this.#comparison(filter, negated);
    }
  }

  /** Keys, or a text column, that begin with `prefix`, as a range that an index can answer. */
  startsWith(column: string, prefix: string): string {
    const from = `${column} >= ${this.#parameters.add(prefix)}`;
    const end = endOfPrefix(prefix);
    return end === undefined ? from : `${from} AND ${column} < ${this.#parameters.add(end)}`;
  }

  #junction(args: readonly Filter[], all: boolean, negated: boolean): string {
    if (args.length === 0) return all ? '1 = 1' : '1 = 0';
    const conditions = args.map((arg) => this.compile(arg, negated));
    if (conditions.length <= LONGEST_PLANNED) return `(${conditions.join(all ? ' AND ' : ' OR ')})`;
    if (!all) return `(${balanced(conditions, ' OR ')} IS TRUE)`;
    const rest = balanced(conditions.slice(LONGEST_PLANNED), ' AND ');
    return `(${conditions.slice(0, LONGEST_PLANNED).join(' AND ')} AND (${rest} IS TRUE))`;
  }

  #has(field: string, test: (value: string) => string, negated: boolean): string {
    const set = this.#layout.setOf.get(field);
    if (!set) throw new StoreError('BAD_QUERY', `'${field}' is not a set of ${this.#layout.collection.name}`);
    const where = `${test('s.value')} AND s.key = ${this.#layout.table}.key`;
    return `${negated ? 'NOT ' : ''}EXISTS (SELECT 1 FROM ${set.table} AS s WHERE ${where})`;
  }

  /** By a look at the words of each document; `search-page.ts` asks the index first where that is of use. */
  #matches(filter: Matches, negated: boolean): string {
    const { collection, search, table } = this.#layout;
    const phrase = phraseOf(collection, filter);
    if (!search || findsNothing(phrase)) return negated ? '1 = 1' : '1 = 0';
    const not = negated ? 'NOT ' : '';
    const { within } = filter;
    const inScope = within === undefined ? undefined : this.compile(scopeFilter(collection, within), negated);
    const test = `${not}${this.#dialect.search.test(search, table, phrase, this.#parameters)}`;
    return inScope === undefined ? test : `(${inScope} ${negated ? 'OR' : 'AND'} ${test})`;
  }

  #comparison(
    filter: Exclude<Filter, { op: 'and' | 'or' | 'not' | 'has' | 'hasAny' | 'matches' | 'compare' | 'among' }>,
    negated: boolean,
  ): string {
    const column = this.#column(filter.field);
    const { name } = column;
    switch (filter.op) {
      case 'eq':
      case 'ne': {
        const wantsEqual = (filter.op === 'eq') !== negated;
        if (filter.value === null) return wantsEqual ? `${name} IS NULL` : `${name} IS NOT NULL`;
        if (column.coded) return coded(column.coded, [filter.value], !wantsEqual);
        const value = this.#value(column, filter.value);
        return wantsEqual ? `${name} = ${value}` : this.#orAbsent(name, `${name} <> ${value}`);
      }
      case 'lt':
      case 'le':
      case 'gt':
      case 'ge': {
        const value = this.#value(column, filter.value);
        if (!negated) return `${name} ${OPERATORS[filter.op]} ${value}`;
        return this.#orAbsent(name, `${name} ${OPPOSITES[filter.op]} ${value}`);
      }
      case 'in': {
        const values = filter.values.map((value) => comparable(filter.field, column.type, value));
        if (column.coded) return coded(column.coded, values, negated);
        return this.#maybeNot(
          name,
          this.#dialect.isIn(name, this.#parameters.add(this.#dialect.list(values))),
          negated,
        );
      }
      default:
        return this.#maybeNot(name, this.#textual(filter.op, column, filter.value), negated);
    }
  }

  #textual(op: 'startsWith' | 'endsWith' | 'contains', column: Column<never>, value: string): string {
    const text = this.#checked(column, value);
    // Every text begins with, ends with and contains the empty one; the engines' functions disagree about it.
    if (text === '') return `${column.name} IS NOT NULL`;
    if (op === 'startsWith') return this.startsWith(column.name, text);
    if (op === 'contains') return this.#dialect.contains(column.name, this.#parameters.add(text));
    return this.#dialect.endsWith(column.name, this.#parameters.add(text), this.#parameters.add(text));
  }

  #maybeNot(name: string, condition: string, negated: boolean): string {
    return negated ? this.#orAbsent(name, `NOT (${condition})`) : condition;
  }

  #orAbsent(name: string, condition: string): string {
    return `(${name} IS NULL OR ${condition})`;
  }

  #column(field: string): Column<never> {
    const column = this.#layout.columnOf.get(field);
    if (!column) throw new StoreError('BAD_QUERY', `'${field}' is not a field of ${this.#layout.collection.name}`);
    return column;
  }

  #checked(column: Column<never>, value: string): string {
    return String(comparable(column.field, column.type, value));
  }

  #value(column: Column<never>, value: string | number | boolean): string {
    return this.#parameters.add(this.#dialect.scalar(comparable(column.field, column.type, value)));
  }
}

/** Documents of one scope of the collection's full text. */
export const scopeFilter = ({ search }: Collection<never>, value: string): Filter => ({
  op: 'eq',
  field: search?.within ?? '',
  value,
});

/** The numbers stand in the statement itself, so that a planner knows how rare they are. */
function coded({ name, codes }: Coded, values: readonly Scalar[], negated: boolean): string {
  const wanted = [...new Set(values)].flatMap((value) => codes.get(value) ?? []);
  if (wanted.length === 0) return negated ? '1 = 1' : '1 = 0';
  return `${name} ${negated ? 'NOT ' : ''}IN (${wanted.join(', ')})`;
}

function balanced(conditions: readonly string[], operator: string): string {
  if (conditions.length <= LONGEST_ROW) return `(${conditions.join(operator)})`;
  const size = Math.ceil(conditions.length / LONGEST_ROW);
  const rows = Array.from({ length: Math.ceil(conditions.length / size) }, (_, i) =>
    balanced(conditions.slice(i * size, (i + 1) * size), operator),
  );
  return `(${rows.join(operator)})`;
}
