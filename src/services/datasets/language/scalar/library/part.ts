import type { Cell, FunctionLibrary } from '../../../../../kernel/store/index.ts';

/** Functions of one area, for both engines. A function of PostgreSQL stands behind those that it calls, which are looked up when it is created. */
export interface LibraryPart {
  readonly functions: FunctionLibrary['functions'];
  readonly postgres: readonly string[];
}

type SqliteFunction = (...values: readonly Cell[]) => Cell;

/** Reads an argument of a function of SQLite. */
type Reader<T> = (value: Exclude<Cell, null>) => T;

export const text: Reader<string> = (value) => (typeof value === 'string' ? value : String(value));
export const number: Reader<number> = (value) => (typeof value === 'number' ? value : Number(value));
/** Whole numbers that no double holds come as bigints. */
export const whole: Reader<bigint> = (value) => BigInt(value);

/**
 * Functions that give NULL where an argument is NULL, which is what STRICT means for PostgreSQL. Each has as many parameters as it is called with:
 * SQLite knows a function by its name and the number of its arguments.
 */
export const strict = {
  one:
    <A>(a: Reader<A>, of: (a: A) => Cell): SqliteFunction =>
    (x: Cell) =>
      x === null ? null : of(a(x)),
  two:
    <A, B>(a: Reader<A>, b: Reader<B>, of: (a: A, b: B) => Cell): SqliteFunction =>
    (x: Cell, y: Cell) =>
      x === null || y === null ? null : of(a(x), b(y)),
  three:
    <A, B, C>(a: Reader<A>, b: Reader<B>, c: Reader<C>, of: (a: A, b: B, c: C) => Cell): SqliteFunction =>
    (x: Cell, y: Cell, z: Cell) =>
      x === null || y === null || z === null ? null : of(a(x), b(y), c(z)),
  four:
    <A, B, C, D>(
      a: Reader<A>,
      b: Reader<B>,
      c: Reader<C>,
      d: Reader<D>,
      of: (a: A, b: B, c: C, d: D) => Cell,
    ): SqliteFunction =>
    (x: Cell, y: Cell, z: Cell, w: Cell) =>
      x === null || y === null || z === null || w === null ? null : of(a(x), b(y), c(z), d(w)),
};

type PostgresType = 'text' | 'bigint' | 'float8' | 'numeric' | 'boolean' | 'int' | 'date' | 'text[]' | 'bigint[]';

interface Shape {
  /** With their types, `value text, count bigint`. */
  readonly parameters: string;
  readonly returns: PostgresType;
  /**
   * A function that can fail is only STABLE: the planner evaluates immutable ones with constant arguments before the statement runs, also in
   * branches of a CASE that no row takes.
   */
  readonly fails?: boolean;
}

const volatility = (fails = false): string => (fails ? 'STABLE' : 'IMMUTABLE');

/** One expression, which the planner puts in the place of the call. For that it may not be declared STRICT: NULL has to be NULL by itself. */
export const inlined = (name: string, { parameters, returns, fails }: Shape, expression: string): string =>
  `CREATE OR REPLACE FUNCTION cloudjar.dax_${name}(${parameters}) RETURNS ${returns} LANGUAGE sql ${volatility(fails)} PARALLEL SAFE AS $fn$
  SELECT ${expression}
$fn$;`;

/** Statements of PL/pgSQL, not run where an argument is NULL. They catch no errors: that takes subtransactions, which parallel plans cannot have. */
export const procedure = (name: string, { parameters, returns, fails }: Shape, body: string): string =>
  `CREATE OR REPLACE FUNCTION cloudjar.dax_${name}(${parameters}) RETURNS ${returns} LANGUAGE plpgsql STRICT ${volatility(fails)} PARALLEL SAFE AS $fn$
${body}
$fn$;`;

/** A text as a literal of SQL. */
export const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** The failing branch of a CASE. `cause` is what the condition has looked at; with it the planner cannot evaluate the call beforehand. */
export const failing = (message: string, cause: string, type: PostgresType): string =>
  `cloudjar.dax_fail(${quoted(message)}, (${cause})::text)::${type}`;
