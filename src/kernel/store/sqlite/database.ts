import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { callFunction, FUNCTIONS, type FunctionName } from '../functions.ts';
import { SQLITE, type SqlValue } from '../sql/dialect.ts';
import type { Scalar } from '../types.ts';

const BUSY_TIMEOUT_MS = 5000;
/** Statements of lists come in as many shapes as clients send filters; those of documents are held elsewhere. */
const MOST_STATEMENTS = 500;
/**
 * A page of a long list that an index has ordered lies all over the file. Read through a mapping it costs half of what a call of
 * the system for each document costs. The mapped part counts as resident once it was read, though the system can take it back.
 */
const MAPPED_BYTES = 256 * 1024 * 1024;
/** Longer ones come from filters that nobody sends twice, and would fill the memory. */
const LONGEST_KEPT = 8192;

type Bound = string | number | null;

/** One connection with its prepared statements. */
export class Database {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** `mapped`: for a connection that only reads. */
  constructor(file: string | undefined, { mapped = false } = {}) {
    this.#db = new DatabaseSync(file ?? ':memory:', { timeout: BUSY_TIMEOUT_MS });
    if (mapped) this.#db.exec(`PRAGMA mmap_size = ${MAPPED_BYTES}`);
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

  /** For a statement that its user keeps; its rows are arrays of values. */
  prepare(sql: string): StatementSync {
    const statement = this.#db.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  }

  /** Runs a statement of any shape and gives its rows. */
  rows(sql: string, values: readonly SqlValue[] = []): unknown[][] {
    // The rows are arrays because `prepare` asks for them, which the type of `all` does not know.
    return this.#cached(sql).all(...bound(values)) as unknown as unknown[][];
  }

  row(sql: string, values: readonly SqlValue[] = []): unknown[] | undefined {
    return this.rows(sql, values)[0];
  }

  run(sql: string, values: readonly SqlValue[] = []): number {
    return Number(this.#cached(sql).run(...bound(values)).changes);
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #cached(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement) return statement;
    if (sql.length > LONGEST_KEPT) return this.prepare(sql);
    if (this.#statements.size >= MOST_STATEMENTS) this.#statements.delete(this.#statements.keys().next().value!);
    statement = this.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** The SQLite dialect makes no other values than these. */
export function bound(values: readonly SqlValue[]): Bound[] {
  return values as Bound[];
}
