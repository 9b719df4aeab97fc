import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { SqlValue } from '../sql/dialect.ts';

const BUSY_TIMEOUT_MS = 5000;
/** Statements of lists come in as many shapes as clients send filters; those of documents are held elsewhere. */
const MOST_STATEMENTS = 500;

type Bound = string | number | null;

/** One connection with its prepared statements. */
export class Database {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string | undefined) {
    this.#db = new DatabaseSync(file ?? ':memory:', { timeout: BUSY_TIMEOUT_MS });
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
