import { quoted } from './library/part.ts';
import type { Engine, ScalarType } from './types.ts';

/** Calls a library function; `name` is without the prefix `dax_`. */
export const call = (engine: Engine, name: string, ...args: readonly string[]): string =>
  `${engine === 'postgres' ? 'cloudjar.' : ''}dax_${name}(${args.join(', ')})`;

/** Converts a condition that is never NULL to a boolean value. */
export const flag = (engine: Engine, condition: string): string =>
  engine === 'postgres' ? `(${condition})::int::bigint` : `(${condition})`;

/** A failing CASE branch. `cause` is the value that the condition examined. */
export const failure = (engine: Engine, message: string, cause: string, type: 'bigint' | 'float8'): string =>
  engine === 'postgres'
    ? `${call(engine, 'fail', quoted(message), `(${cause})::text`)}::${type}`
    : call(engine, 'fail', quoted(message), cause);

/** Columns and constants, which need no computation; a text may have its default. */
const SIMPLE = /^(?:coalesce\((?:«\d+»|[\w."?$]{1,60}), ''\)|«\d+»|[\w."?$]{1,60})$/;

/**
 * An expression that uses some values more than once. Unless they are simple, a subquery computes each once: repeating their SQL would
 * double it with every level of nesting.
 */
export function bound(values: readonly string[], body: (...names: readonly string[]) => string): string {
  if (values.every((value) => SIMPLE.test(value))) return `(${body(...values)})`;
  const names = values.map((_, i) => `bound_${i}`);
  const columns = values.map((value, i) => `${value} AS ${names[i]}`).join(', ');
  // The LIMIT keeps PostgreSQL from inlining the values, which it would do at every level.
  return `(SELECT ${body(...names)} FROM (SELECT ${columns} LIMIT 1) AS bound)`;
}

const POSTGRES_TYPES: Readonly<Record<ScalarType, string>> = {
  int: 'bigint',
  decimal: 'bigint',
  boolean: 'bigint',
  blank: 'bigint',
  double: 'float8',
  date: 'float8',
  text: 'text',
  variant: 'text',
};

/** BLANK of this type. */
export const blank = (type: ScalarType, engine: Engine): string =>
  engine === 'postgres' ? `NULL::${POSTGRES_TYPES[type]}` : 'NULL';
