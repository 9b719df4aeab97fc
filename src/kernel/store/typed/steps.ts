import type { SqlValue } from '../sql/dialect.ts';

/**
 * What is done with typed tables is written once for both engines: a generator that yields statements and is given their results. SQLite runs it to its
 * end without a pause, PostgreSQL awaits each statement.
 */
export type Steps<R> = Generator<Step, R, StepResult>;

export interface Step {
  readonly sql: string;
  readonly values?: readonly SqlValue[];
  /** Whether rows are wanted. */
  readonly reads?: boolean;
}

export interface StepResult {
  readonly rows: readonly (readonly unknown[])[];
  /** How many rows were written. */
  readonly count: number;
}

/** The first row that a statement gives. */
export function* first(sql: string, values: readonly SqlValue[] = []): Steps<readonly unknown[] | undefined> {
  const { rows } = yield { sql, values, reads: true };
  return rows[0];
}

/** A part that leaves nothing behind if it fails, even where its caller goes on with the transaction. */
export function* whole<R>(steps: Steps<R>): Steps<R> {
  yield { sql: 'SAVEPOINT typed' };
  let result: R;
  try {
    result = yield* steps;
  } catch (error) {
    try {
      yield { sql: 'ROLLBACK TO SAVEPOINT typed' };
      yield { sql: 'RELEASE SAVEPOINT typed' };
    } catch {
      // The transaction is lost as a whole, with a connection or for lack of space; the first error says so.
    }
    throw error;
  }
  yield { sql: 'RELEASE SAVEPOINT typed' };
  return result;
}
