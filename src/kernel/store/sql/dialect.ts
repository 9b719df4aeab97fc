import type { FieldType, Scalar } from '../types.ts';

export type ScalarType = Exclude<FieldType, 'set'>;

/** A value as a driver takes it. Arrays and booleans go to PostgreSQL only. */
export type SqlValue = string | number | boolean | null | readonly Scalar[];

/** Everything in which the two engines' SQL differs. */
export interface Dialect {
  placeholder(position: number): string;
  /** A quoted table name, with its schema where there is one. */
  table(name: string): string;
  readonly types: Readonly<Record<ScalarType, string>>;
  readonly tableOptions: string;
  /** Absent values are the smallest on both engines; PostgreSQL has to be told. */
  readonly ascending: string;
  readonly descending: string;
  scalar(value: Scalar): SqlValue;
  list(values: readonly Scalar[]): SqlValue;
  isIn(column: string, list: string): string;
  contains(column: string, text: string): string;
  endsWith(column: string, text: string, again: string): string;
}

export const SQLITE: Dialect = {
  placeholder: () => '?',
  table: quote,
  types: { text: 'TEXT', number: 'REAL', boolean: 'INTEGER' },
  tableOptions: ' WITHOUT ROWID',
  ascending: '',
  descending: ' DESC',
  scalar: (value) => (typeof value === 'boolean' ? Number(value) : value),
  list: (values) => JSON.stringify(values),
  isIn: (column, list) => `${column} IN (SELECT value FROM json_each(${list}))`,
  contains: (column, text) => `instr(${column}, ${text}) > 0`,
  endsWith: (column, text, again) => `substr(${column}, -length(${text})) = ${again}`,
};

/** The schema keeps a jar's tables apart from whatever else lives in the database. */
export const POSTGRES_SCHEMA = 'cloudjar';

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
  contains: (column, text) => `strpos(${column}, ${text}) > 0`,
  endsWith: (column, text, again) => `right(${column}, length(${text})) = ${again}`,
};

export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Collects the values of a statement and hands out their placeholders. */
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
