import type { Engine, ScalarType } from '../scalar/types.ts';

/** The differences between the SQL of the two engines, as far as the compiler writes it. */
export interface Dialect {
  readonly engine: Engine;
  parameter(position: number, type: ScalarType): string;
  /** Operators for "equal or both blank" and its opposite. */
  readonly same: string;
  readonly different: string;
  call(name: string, ...args: readonly string[]): string;
  double(sql: string): string;
  int(sql: string): string;
  /** Blanks sort first in ascending and last in descending order. */
  ascending(sql: string): string;
  descending(sql: string): string;
  /** Sorts a text by its bytes, whatever the collation of the database. */
  byBytes(sql: string): string;
  /**
   * A condition that is always true, but fails once the statement exceeds its time limit. Undefined if the server itself enforces the
   * limit.
   */
  readonly timeCheck: string | undefined;
}

const CASTS: Readonly<Record<ScalarType, string>> = {
  int: 'bigint',
  decimal: 'bigint',
  boolean: 'bigint',
  double: 'float8',
  date: 'float8',
  text: 'text',
  blank: 'bigint',
  variant: 'text',
};

const SQLITE: Dialect = {
  engine: 'sqlite',
  parameter: (position) => `?${position}`,
  same: 'IS',
  different: 'IS NOT',
  call: (name, ...args) => `${name}(${args.join(', ')})`,
  double: (sql) => `CAST(${sql} AS REAL)`,
  int: (sql) => `CAST(${sql} AS INTEGER)`,
  ascending: (sql) => sql,
  descending: (sql) => `${sql} DESC`,
  byBytes: (sql) => sql,
  timeCheck: 'tick() = 1',
};

const POSTGRES: Dialect = {
  engine: 'postgres',
  parameter: (position, type) => `$${position}::${CASTS[type]}`,
  same: 'IS NOT DISTINCT FROM',
  different: 'IS DISTINCT FROM',
  call: (name, ...args) => `cloudjar.${name}(${args.join(', ')})`,
  double: (sql) => `(${sql})::float8`,
  int: (sql) => `(${sql})::bigint`,
  ascending: (sql) => `${sql} NULLS FIRST`,
  descending: (sql) => `${sql} DESC NULLS LAST`,
  byBytes: (sql) => `(${sql} COLLATE "C")`,
  timeCheck: undefined,
};

export const dialectOf = (engine: Engine): Dialect => (engine === 'sqlite' ? SQLITE : POSTGRES);
