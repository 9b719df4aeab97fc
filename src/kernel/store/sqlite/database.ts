import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { callFunction, FUNCTIONS, type FunctionName } from '../functions.ts';
import { SQLITE, type SqlValue } from '../sql/dialect.ts';
import { foldText } from '../typed/fold.ts';
import { plainText } from '../typed/plain-text.ts';
import type { Cell, ColumnType } from '../typed/types.ts';
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

type Bound = string | number | bigint | null;

/** A prepared statement. Its rows are arrays of values, in the order of the columns; whoever writes the SQL says what is in them. */
export interface Statement<Row extends readonly unknown[] = unknown[]> {
  get(...values: readonly Bound[]): Row | undefined;
  all(...values: readonly Bound[]): Row[];
  iterate(...values: readonly Bound[]): Iterable<Row>;
  run(...values: readonly Bound[]): { readonly changes: number | bigint };
}

/** One connection with its prepared statements. */
export class Database {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, Statement>();

  /** `mapped`: for a connection that only reads. */
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

  /** For a statement that its user keeps. */
  prepare<Row extends readonly unknown[] = unknown[]>(sql: string): Statement<Row> {
    return withArrays(this.#db.prepare(sql));
  }

  /** Runs a statement of any shape and gives its rows. */
  rows(sql: string, values: readonly SqlValue[] = []): unknown[][] {
    return this.#cached(sql).all(...bound(values));
  }

  row(sql: string, values: readonly SqlValue[] = []): unknown[] | undefined {
    return this.rows(sql, values)[0];
  }

  run(sql: string, values: readonly SqlValue[] = []): number {
    return Number(this.#cached(sql).run(...bound(values)).changes);
  }

  /** As `rows`, with every whole number as a bigint: those of typed tables may be beyond what a number holds. */
  wideRows(sql: string, values: readonly SqlValue[] = []): unknown[][] {
    return this.#wide(sql).all(...bound(values));
  }

  /** As `wideRows`, one after the other. Whoever stops before the end ends the statement by it. */
  iterateWide(sql: string, values: readonly SqlValue[] = []): Iterable<unknown[]> {
    return this.#wide(sql).iterate(...bound(values));
  }

  /** A statement that has failed halfway says nothing of use when it is run again. */
  forgetWide(sql: string): void {
    this.#statements.delete(`wide ${sql}`);
  }

  /** Whole numbers that no number holds exactly come to it as bigints. */
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

/** The types of `node:sqlite` say that rows are objects, whatever `setReturnArrays` was told. */
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

/** The SQLite dialect makes no other values than these. */
export function bound(values: readonly SqlValue[]): Bound[] {
  return values as Bound[];
}
