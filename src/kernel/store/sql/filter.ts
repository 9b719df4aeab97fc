import { StoreError } from '../errors.ts';
import type { Filter, Scalar } from '../types.ts';
import { comparable, endOfPrefix, storable } from '../values.ts';
import { balanced } from './balanced.ts';
import type { Dialect, Parameters } from './dialect.ts';
import { ExpressionCompiler } from './expression.ts';
import { type Column, type Layout, layoutOf } from './layout.ts';
import { groupSearches, type Searched, searchedBy } from './searched.ts';
import type { Coded } from './views.ts';

const OPERATORS = { lt: '<', le: '<=', gt: '>', ge: '>=' } as const;
const OPPOSITES = { lt: '>=', le: '>', gt: '<=', ge: '<' } as const;

/**
 * SQLite's planner compares every pair of conditions. In a longer AND it sees only the first ones, and treats the others as one condition;
 * for a long OR it would find no index anyway.
 */
const LONGEST_PLANNED = 40;

/**
 * Compiles filters of one collection to SQL conditions. A condition may be NULL instead of false, so `not` is pushed down to the
 * comparisons, which handle absent values explicitly: that keeps logic two-valued and indexes usable.
 */
export class FilterCompiler {
  readonly #layout: Layout<never>;
  readonly #dialect: Dialect;
  readonly #parameters: Parameters;
  /** The nesting depth of `linked` filters. */
  readonly #depth: number;
  /** True if another condition already finds the documents, so that the compiled conditions must not use an index. */
  #isFound = false;

  constructor(layout: Layout<never>, dialect: Dialect, parameters: Parameters, depth = 0) {
    this.#depth = depth;
    this.#layout = layout;
    this.#dialect = dialect;
    this.#parameters = parameters;
  }

  compile(filter: Filter, negated = false): string {
    switch (filter.op) {
      case 'and':
      case 'or':
        return this.#junction(filter.op, filter.args, negated);
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
      case 'linked':
        return this.#linked(filter, negated);
      case 'matches': {
        const searched = searchedBy(this.#layout.collection, filter);
        return searched ? this.#search(searched, negated) : negated ? '1 = 1' : '1 = 0';
      }
      default:
        return this.#comparison(filter, negated);
    }
  }

  /** Matches keys, or a text column, that begin with `prefix`, as a range that an index can answer. */
  startsWith(column: string, prefix: string): string {
    const from = `${column} >= ${this.#parameters.add(prefix)}`;
    const end = endOfPrefix(prefix);
    return end === undefined ? from : `${from} AND ${column} < ${this.#parameters.add(end)}`;
  }

  #junction(op: 'and' | 'or', args: readonly Filter[], negated: boolean): string {
    const all = (op === 'and') !== negated;
    if (args.length === 0) return all ? '1 = 1' : '1 = 0';
    const { groups, rest } = groupSearches(this.#layout.collection, op, args);
    if (op === 'and' && !negated && !this.#isFound && rest.some(isKeyList)) return this.#byKeys(args);
    const conditions = [
      ...rest.map((arg) => this.compile(arg, negated)),
      ...groups.map(({ searched, isNegated }) => this.#search(searched, isNegated !== negated)),
    ];
    if (conditions.length <= LONGEST_PLANNED) return `(${conditions.join(all ? ' AND ' : ' OR ')})`;
    if (!all) return `(${balanced(conditions, ' OR ')} IS TRUE)`;
    const others = balanced(conditions.slice(LONGEST_PLANNED), ' AND ');
    return `(${conditions.slice(0, LONGEST_PLANNED).join(' AND ')} AND (${others} IS TRUE))`;
  }

  /**
   * Documents are looked up by a list of keys, even if other conditions could use more fields of an index. SQLite does not know the length
   * of the list, and would scan all documents that such an index finds for them.
   */
  #byKeys(args: readonly Filter[]): string {
    const keys = args.find(isKeyList)!;
    const first = this.compile(keys);
    this.#isFound = true;
    const others = this.#junction(
      'and',
      args.filter((arg) => arg !== keys),
      false,
    );
    this.#isFound = false;
    return `(${first} AND ${others})`;
  }

  #has(field: string, test: (value: string) => string, negated: boolean): string {
    const set = this.#layout.setOf.get(field);
    if (!set) throw new StoreError('BAD_QUERY', `'${field}' is not a set of ${this.#layout.collection.name}`);
    const where = `${test('s.value')} AND s.key = ${this.#layout.table}.key`;
    return `${negated ? 'NOT ' : ''}EXISTS (SELECT 1 FROM ${set.table} AS s WHERE ${where})`;
  }

  /** The table has a different alias at each level, so that outer columns stay distinguishable. */
  #linked(filter: Extract<Filter, { op: 'linked' }>, negated: boolean): string {
    const other = layoutOf(filter.collection, this.#dialect);
    const name = `l${this.#depth}`;
    const theirs = `${name}.${linkColumn(other, filter.field)}`;
    const ours = `${this.#layout.table}.${linkColumn(this.#layout, filter.by)}`;
    const suffix = filter.suffix
      ? ` || ${this.#dialect.typed(this.#parameters.add(storable(filter.suffix)), 'text')}`
      : '';
    const conditions = [`${theirs} = ${ours}${suffix}`];
    if (filter.filter) {
      const inner = new FilterCompiler({ ...other, table: name }, this.#dialect, this.#parameters, this.#depth + 1);
      conditions.push(inner.compile(filter.filter));
    }
    const from = `${other.table} AS ${name}`;
    return `${negated ? 'NOT ' : ''}EXISTS (SELECT 1 FROM ${from} WHERE ${conditions.join(' AND ')})`;
  }

  /** Tests the words of each document; `search-page.ts` queries the index first if that helps. */
  #search({ within, expression }: Searched, negated: boolean): string {
    const { collection, search, table } = this.#layout;
    if (!search) throw new StoreError('BAD_QUERY', `${collection.name} declares no full text`);
    const field = collection.search?.within;
    const inScope =
      within === undefined || field === undefined
        ? undefined
        : this.compile({ op: 'eq', field, value: within }, negated);
    const test = `${negated ? 'NOT ' : ''}${this.#dialect.search.test(search, table, expression, this.#parameters)}`;
    return inScope === undefined ? test : `(${inScope} ${negated ? 'OR' : 'AND'} ${test})`;
  }

  #comparison(
    filter: Exclude<
      Filter,
      { op: 'and' | 'or' | 'not' | 'has' | 'hasAny' | 'matches' | 'linked' | 'compare' | 'among' }
    >,
    negated: boolean,
  ): string {
    const declared = this.#column(filter.field);
    const column = this.#isFound ? { ...declared, name: this.#dialect.looked(declared.name) } : declared;
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
    // Every text begins with, ends with and contains the empty text; the engines' functions disagree on that.
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

const isKeyList = (filter: Filter): boolean => filter.op === 'in' && filter.field === 'key';

function linkColumn({ collection, columnOf }: Layout<never>, field: string): string {
  const column = columnOf.get(field);
  if (column?.type === 'text') return column.name;
  throw new StoreError('BAD_QUERY', `'${field}' is not a text field of ${collection.name}`);
}

/** The numbers are literals in the statement, so that a planner knows how rare they are. */
function coded({ name, codes }: Coded, values: readonly Scalar[], negated: boolean): string {
  const wanted = [...new Set(values)].flatMap((value) => codes.get(value) ?? []);
  if (wanted.length === 0) return negated ? '1 = 1' : '1 = 0';
  return `${name} ${negated ? 'NOT ' : ''}IN (${wanted.join(', ')})`;
}
