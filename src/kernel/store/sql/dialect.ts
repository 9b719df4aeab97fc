import type { FunctionName } from '../functions.ts';
import type { Scalar, ScalarType } from '../types.ts';
import { SEARCH_POSTGRES, SEARCH_SQLITE, type SearchDialect } from './search-dialect.ts';

/** A value as passed to a driver. Arrays and booleans occur only with PostgreSQL; integers beyond 2⁵³ only in typed tables. */
export type SqlValue = string | number | bigint | boolean | null | readonly Scalar[];

/** The differences between the two engines' SQL. */
export interface Dialect {
  placeholder(position: number): string;
  /** Returns a quoted table name, with its schema if there is one. */
  table(name: string): string;
  readonly types: Readonly<Record<ScalarType, string>>;
  readonly tableOptions: string;
  /** Absent values sort first on both engines; PostgreSQL has to be told. */
  readonly ascending: string;
  readonly descending: string;
  scalar(value: Scalar): SqlValue;
  list(values: readonly Scalar[]): SqlValue;
  isIn(column: string, list: string): string;
  /** A value of a set that is compared after its document is found, instead of being looked up in an index for every value of a list. */
  looked(column: string): string;
  contains(column: string, text: string): string;
  endsWith(column: string, text: string, again: string): string;
  /** Calls one of the functions of `functions.ts`. */
  call(name: FunctionName, args: readonly string[]): string;
  /** A placeholder among computed values, where its type cannot be inferred. */
  typed(placeholder: string, type: ScalarType): string;
  /** A computed text, compared by its bytes. */
  byBytes(text: string): string;
  /** Null-safe equality, and its negation. */
  readonly same: string;
  readonly different: string;
  readonly search: SearchDialect;
}

export const SQLITE: Dialect = {
  placeholder: (position) => `?${position}`,
  table: quote,
  types: { text: 'TEXT', number: 'REAL', boolean: 'INTEGER' },
  tableOptions: ' WITHOUT ROWID',
  ascending: '',
  descending: ' DESC',
  scalar: (value) => (typeof value === 'boolean' ? Number(value) : value),
  list: (values) => `[${values.map(jsonOf).join()}]`,
  isIn: (column, list) => `${column} IN (SELECT value FROM json_each(${list}))`,
  looked: (column) => `+${column}`,
  contains: (column, text) => `instr(${column}, ${text}) > 0`,
  endsWith: (column, text, again) => `substr(${column}, -length(${text})) = ${again}`,
  call: (name, args) => `fn_${name}(${args.join(', ')})`,
  typed: (placeholder) => placeholder,
  byBytes: (text) => text,
  same: 'IS',
  different: 'IS NOT',
  search: SEARCH_SQLITE,
};

/** A number beyond 2⁵³ without a fraction would be read as an integer, which is not the double that the column holds. */
function jsonOf(value: Scalar): string {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return JSON.stringify(value);
  return Number.isFinite(value) ? value.toExponential() : value > 0 ? '9e999' : '-9e999';
}

/** A schema that separates a jar's tables from other contents of the database. */
export const POSTGRES_SCHEMA = 'cloudjar';

const CASTS = { text: 'text', number: 'float8', boolean: 'boolean' } as const;

export const POSTGRES: Dialect = {
  placeholder: (position) => `$${position}`,
  table: (name) => `${POSTGRES_SCHEMA}.${quote(name)}`,
  types: { text: 'text COLLATE "C"', number: 'double precision', boolean: 'boolean' },
  tableOptions: '',
  ascending: ' NULLS FIRST',
  descending: ' DESC NULLS LAST',
  scalar: (value) => value,
  list: (values) => values,
  isIn: (column, list) => `${column} = ANY(${list})`,
  looked: (column) => column,
  contains: (column, text) => `strpos(${column}, ${text}) > 0`,
  endsWith: (column, text, again) => `right(${column}, length(${text})) = ${again}`,
  call: (name, args) => `${POSTGRES_SCHEMA}.fn_${name}(${args.join(', ')})`,
  typed: (placeholder, type) => `${placeholder}::${CASTS[type]}`,
  byBytes: (text) => `(${text}) COLLATE "C"`,
  same: 'IS NOT DISTINCT FROM',
  different: 'IS DISTINCT FROM',
  search: SEARCH_POSTGRES,
};

export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Collects the values of a statement and returns their placeholders. */
export class Parameters {
  readonly values: SqlValue[] = [];
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  add(value: SqlValue): string {
    this.values.push(value);
    return this.#dialect.placeholder(this.values.length);
  }
}
