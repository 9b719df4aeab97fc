import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { callFunction, FUNCTIONS, type FunctionName } from '../functions.ts';
import { SQLITE, type SqlValue } from '../sql/dialect.ts';
import { foldText } from '../typed/fold.ts';
import { plainText } from '../typed/plain-text.ts';
import type { Cell, ColumnType } from '../typed/types.ts';
import type { Scalar } from '../types.ts';

const BUSY_TIMEOUT_MS = 5000;
/** List statements have as many shapes as the filters that clients send. Statements for single documents are kept in `Table`. */
const MOST_STATEMENTS = 500;
/**
 * The documents of a page ordered by an index are scattered over the file. Reading them through a memory mapping costs half as much as a
 * system call for each. Mapped pages count as resident after they are read, but the system can reclaim them.
 */
const MAPPED_BYTES = 256 * 1024 * 1024;
/** Longer statements come from filters that are not repeated, and would fill the memory. */
const LONGEST_KEPT = 8192;

type Bound = string | number | bigint | null;

/** A prepared statement. Rows are arrays of values in column order; the caller states their type. */
export interface Statement<Row extends readonly unknown[] = unknown[]> {
  get(...values: readonly Bound[]): Row | undefined;
  all(...values: readonly Bound[]): Row[];
  iterate(...values: readonly Bound[]): Iterable<Row>;
  run(...values: readonly Bound[]): { readonly changes: number | bigint };
}

/** A connection and its prepared statements. */
export class Database {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, Statement>();

  /** `mapped` is for connections that only read. */
  constructor(file: string | undefined, { mapped = false } = {}) {
    this.#db = new DatabaseSync(file ?? ':memory:', { timeout: BUSY_TIMEOUT_MS });
    if (mapped) this.#db.exec(`PRAGMA mmap_size = ${MAPPED_BYTES}`);
    this.function('fold', (text) => (text === null ? null : foldText(String(text))), { deterministic: true });
    this.function('plain_text', plainCell, { deterministic: true });
    for (const name of Object.keys(FUNCTIONS) as FunctionName[]) {
      this.#db.function(`fn_${name}`, { deterministic: true, varargs: true }, (...values) => {
        const result = callFunction(name, values as (Scalar | null)[]);
        return result === null ? null : (SQLITE.scalar(result) as string | number);
      });
    }
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** For statements that the caller keeps; they are not cached here. */
  prepare<Row extends readonly unknown[] = unknown[]>(sql: string): Statement<Row> {
    return withArrays(this.#db.prepare(sql));
  }

  /** Runs any statement and returns its rows. */
  rows(sql: string, values: readonly SqlValue[] = []): unknown[][] {
    return this.#cached(sql).all(...bound(values));
  }

  row(sql: string, values: readonly SqlValue[] = []): unknown[] | undefined {
    return this.rows(sql, values)[0];
  }

  run(sql: string, values: readonly SqlValue[] = []): number {
    return Number(this.#cached(sql).run(...bound(values)).changes);
  }

  /** Like `rows`, but returns every integer as a bigint: integers of typed tables may exceed the range of a number. */
  wideRows(sql: string, values: readonly SqlValue[] = []): unknown[][] {
    return this.#wide(sql).all(...bound(values));
  }

  /** Like `wideRows`, but returns rows one by one. Stopping early ends the statement. */
  iterateWide(sql: string, values: readonly SqlValue[] = []): Iterable<unknown[]> {
    return this.#wide(sql).iterate(...bound(values));
  }

  /** Removes a statement from the cache: after it has failed midway, running it again gives no useful error. */
  forgetWide(sql: string): void {
    this.#statements.delete(`wide ${sql}`);
  }

  /** The function receives integers as bigints only if a number cannot hold them exactly. */
  function(name: string, call: (...values: readonly Cell[]) => Cell, { deterministic = false } = {}): void {
    const options = { deterministic, varargs: true, useBigIntArguments: true };
    this.#db.function(name, options, (...values) => call(...values.map(cellArgument)));
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #cached(sql: string): Statement {
    return this.#kept(sql, () => this.prepare(sql));
  }

  #wide(sql: string): Statement {
    return this.#kept(`wide ${sql}`, () => {
      const statement = this.#db.prepare(sql);
      statement.setReadBigInts(true);
      return withArrays(statement);
    });
  }

  #kept(name: string, prepare: () => Statement): Statement {
    let statement = this.#statements.get(name);
    if (statement) return statement;
    if (name.length > LONGEST_KEPT) return prepare();
    if (this.#statements.size >= MOST_STATEMENTS) this.#statements.delete(this.#statements.keys().next().value!);
    statement = prepare();
    this.#statements.set(name, statement);
    return statement;
  }
}

/** The types of `node:sqlite` declare rows as objects, regardless of `setReturnArrays`. */
function withArrays<Row extends readonly unknown[]>(statement: StatementSync): Statement<Row> {
  statement.setReturnArrays(true);
  return statement as unknown as Statement<Row>;
}

function cellArgument(value: SQLOutputValue): Cell {
  if (typeof value !== 'bigint') return typeof value === 'object' && value !== null ? String(value) : value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function plainCell(...[type, value]: readonly Cell[]): Cell {
  return value === null || value === undefined ? null : plainText(type as ColumnType, value);
}

/** The SQLite dialect produces no other values. */
export function bound(values: readonly SqlValue[]): Bound[] {
  return values as Bound[];
}
