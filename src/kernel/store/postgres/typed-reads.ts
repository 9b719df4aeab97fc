import { createHash } from 'node:crypto';
import { StoreError } from '../errors.ts';
import { POSTGRES } from '../sql/dialect.ts';
import { layoutOf } from '../sql/layout.ts';
import { cellOf, tooComplex, tooLarge } from '../typed/cells.ts';
import { tableDefinitions } from '../typed/definitions.ts';
import { DEFINITIONS_LOCK, TYPED_POSTGRES } from '../typed/dialect.ts';
import type { Cell, FunctionLibrary, SelectBounds, Selected, Statement } from '../typed/types.ts';
import { type Connection, codeOf } from './connection.ts';

/** The SQLSTATE of errors raised by library functions; the message is the function's own. */
const RAISED = 'CJ001';
const OUT_OF_RANGE = '22003';
/** Out of range for an operator or a sum of doubles; errors of integers name their type. */
const DOUBLE = /^value out of range/;
/** Out of memory, and the server's own limits: class 54. */
const TOO_COMPLEX = /^(53200|54...)$/;
const CANCELED = '57014';
/** Undefined table and undefined column. */
const GONE = new Set(['42P01', '42703']);

const MOST_ATTEMPTS = 5;

const NOTED = 'SELECT value FROM cloudjar.meta WHERE name = $1';
const REMEMBER = `
  INSERT INTO cloudjar.meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** Creates the functions of a library, unless a node has already created the same version. Call in a transaction; nodes take turns. */
export async function createLibrary(on: Connection, { name, postgres }: FunctionLibrary): Promise<void> {
  const key = `library:${name}`;
  const signature = createHash('sha256').update(postgres).digest('hex').slice(0, 16);
  const isMade = async (): Promise<boolean> => (await on.query(NOTED, [key])).rows[0]?.[0] === signature;
  if (await isMade()) return;
  await on.query(`SELECT pg_advisory_xact_lock(hashtextextended('cloudjar.schema', 0))`);
  if (await isMade()) return;
  await on.query(postgres);
  await on.query(REMEMBER, [key, signature]);
}

/** Runs a read-only statement within the given bounds. */
export async function select(on: Connection, statement: Statement, bounds: SelectBounds): Promise<Selected> {
  const { text, values, columns } = statement;
  // JIT compilation of a plan takes longer than most statements run.
  await on.query(
    `BEGIN READ ONLY; SET LOCAL jit = off; SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(bounds.timeMs))}`,
  );
  try {
    const sql = `SELECT * FROM (${text}) AS selected LIMIT ${bounds.rows + 1}`;
    const { rows } = await on.query(sql, values);
    const more = rows.length > bounds.rows;
    const read = more ? rows.slice(0, bounds.rows) : rows;
    return { rows: read.map((row): Cell[] => columns.map((type, i) => cellOf(type, row[i]))), more };
  } catch (error) {
    throw asStoreError(error);
  } finally {
    await on.query('ROLLBACK');
  }
}

/** Runs a read that depends on a definition read before, and retries it if another transaction has changed the table in between. */
export async function byDefinition<R>(read: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (!GONE.has(codeOf(error)) || attempt === MOST_ATTEMPTS) throw asStoreError(error);
    }
  }
}

function asStoreError(error: unknown): unknown {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === RAISED) return new StoreError('STATEMENT', message, { cause: error });
  if (code === OUT_OF_RANGE) return tooLarge(error, DOUBLE.test(message) ? 'decimal number' : 'whole number');
  if (TOO_COMPLEX.test(code)) return tooComplex(error);
  if (code === CANCELED) return new StoreError('TOO_LONG', 'the statement exceeded its time limit', { cause: error });
  return GONE.has(code) ? new StoreError('UNKNOWN_TABLE', message, { cause: error }) : error;
}

const DEFINED = `SELECT key FROM ${layoutOf(tableDefinitions, POSTGRES).table} ORDER BY key`;

/** Drops all typed tables. Waits for statements and captures that read them. */
export async function dropTypedTables(on: Connection): Promise<void> {
  await on.query(`SELECT pg_advisory_xact_lock_shared(${DEFINITIONS_LOCK})`);
  const { rows } = await on.query(DEFINED);
  const tables = rows.map(([name]) => TYPED_POSTGRES.table(String(name)));
  if (tables.length > 0) await on.query(`DROP TABLE ${tables.join(', ')}`);
}
