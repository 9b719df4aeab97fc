import type { Cell, FunctionLibrary } from '../../../../../kernel/store/index.ts';

/**
 * Functions of one area, for both engines. A PostgreSQL function must come after the functions it calls, which are resolved when it is
 * created.
 */
export interface LibraryPart {
  readonly functions: FunctionLibrary['functions'];
  readonly postgres: readonly string[];
}

type SqliteFunction = (...values: readonly Cell[]) => Cell;

/** Converts an argument of a SQLite function. */
type Reader<T> = (value: Exclude<Cell, null>) => T;

export const text: Reader<string> = (value) => (typeof value === 'string' ? value : String(value));
export const number: Reader<number> = (value) => (typeof value === 'number' ? value : Number(value));
/** Integers that a double cannot hold arrive as bigints. */
export const whole: Reader<bigint> = (value) => BigInt(value);

/**
 * Functions that return NULL if an argument is NULL, like STRICT functions in PostgreSQL. Each declares exactly the parameters that it is
 * called with, because SQLite identifies a function by its name and number of arguments.
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
  /** With their types, for example `value text, count bigint`. */
  readonly parameters: string;
  readonly returns: PostgresType;
  /**
   * A function that can fail is declared STABLE: the planner evaluates IMMUTABLE functions with constant arguments before the statement
   * runs, even in CASE branches that no row takes.
   */
  readonly fails?: boolean;
}

const volatility = (fails = false): string => (fails ? 'STABLE' : 'IMMUTABLE');

/**
 * A single expression, which the planner inlines. Inlining does not work with STRICT, so the expression itself must return NULL for NULL.
 */
export const inlined = (name: string, { parameters, returns, fails }: Shape, expression: string): string =>
  `CREATE OR REPLACE FUNCTION cloudjar.dax_${name}(${parameters}) RETURNS ${returns} LANGUAGE sql ${volatility(fails)} PARALLEL SAFE AS $fn$
  SELECT ${expression}
$fn$;`;

/**
 * PL/pgSQL statements, not run if an argument is NULL. They do not catch errors, because that needs subtransactions, which parallel plans
 * do not support.
 */
export const procedure = (name: string, { parameters, returns, fails }: Shape, body: string): string =>
  `CREATE OR REPLACE FUNCTION cloudjar.dax_${name}(${parameters}) RETURNS ${returns} LANGUAGE plpgsql STRICT ${volatility(fails)} PARALLEL SAFE AS $fn$
${body}
$fn$;`;

/** A SQL string literal. */
export const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** A failing CASE branch. `cause` is the value that the condition examined; it prevents the planner from evaluating the call in advance. */
export const failing = (message: string, cause: string, type: PostgresType): string =>
  `cloudjar.dax_fail(${quoted(message)}, (${cause})::text)::${type}`;
