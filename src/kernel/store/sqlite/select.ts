import { processTime } from '../../time/timers.ts';
import { StoreError } from '../errors.ts';
import { cellOf, tooComplex, tooLarge } from '../typed/cells.ts';
import type { Cell, FunctionLibrary, SelectBounds, Selected, Statement } from '../typed/types.ts';
import type { Database } from './database.ts';

/**
 * Runs statements on one connection. SQLite has no time limit of its own: statements call `tick()` wherever they can grow without bound,
 * and `tick` throws after the running statement's time is over.
 */
export class Selects {
  readonly #db: Database;
  readonly #libraries = new Map<string, FunctionLibrary['functions']>();
  #deadline = Number.POSITIVE_INFINITY;

  constructor(db: Database) {
    this.#db = db;
    db.function('tick', () => this.#tick());
  }

  use({ name, functions }: Pick<FunctionLibrary, 'name' | 'functions'>): void {
    if (this.#libraries.get(name) === functions) return;
    for (const [each, call] of Object.entries(functions))
      this.#db.function(each, reporting(call), { deterministic: true });
    this.#libraries.set(name, functions);
  }

  run({ text, values, columns }: Statement, bounds: SelectBounds): Selected {
    this.#deadline = processTime() + bounds.timeMs;
    this.#db.exec('PRAGMA query_only = ON');
    try {
      const rows: Cell[][] = [];
      for (const row of this.#db.iterateWide(text, values)) {
        this.#tick();
        if (rows.length === bounds.rows) return { rows, more: true };
        rows.push(columns.map((type, i) => cellOf(type, row[i])));
      }
      return { rows, more: false };
    } catch (error) {
      this.#db.forgetWide(text);
      throw asStoreError(error);
    } finally {
      this.#db.exec('PRAGMA query_only = OFF');
      this.#deadline = Number.POSITIVE_INFINITY;
    }
  }

  #tick(): number {
    if (processTime() > this.#deadline) throw new StoreError('TOO_LONG', 'the statement exceeded its time limit');
    return 1;
  }
}

/** An error thrown by a function is about its arguments, so it becomes a `STATEMENT` error. */
function reporting(call: (...values: readonly Cell[]) => Cell): (...values: readonly Cell[]) => Cell {
  return (...values) => {
    try {
      return call(...values);
    } catch (error) {
      throw new StoreError('STATEMENT', error instanceof Error ? error.message : String(error), { cause: error });
    }
  };
}

const GONE = /^no such (table|column)/;
const OVERFLOW = /^integer overflow/;
/** SQLite's own limits, detected when a statement is prepared or run. */
const TOO_COMPLEX =
  /^(too many |at most \d+ tables|recursion limit|expression tree is too large|parser stack overflow|variable number|string or blob too big|out of memory)/i;

function asStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  if (GONE.test(error.message)) return new StoreError('UNKNOWN_TABLE', error.message, { cause: error });
  if (TOO_COMPLEX.test(error.message)) return tooComplex(error);
  return OVERFLOW.test(error.message) ? tooLarge(error) : error;
}
