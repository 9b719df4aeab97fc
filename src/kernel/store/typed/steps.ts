import type { SqlValue } from '../sql/dialect.ts';

/**
 * Operations on typed tables are written once for both engines, as generators that yield statements and receive their results. SQLite runs
 * them synchronously, PostgreSQL awaits each statement.
 */
export type Steps<R> = Generator<Step, R, StepResult>;

export interface Step {
  readonly sql: string;
  readonly values?: readonly SqlValue[];
  /** Whether the statement returns rows. */
  readonly reads?: boolean;
}

export interface StepResult {
  readonly rows: readonly (readonly unknown[])[];
  /** The number of rows written. */
  readonly count: number;
}

/** Returns the first row of a statement's result. */
export function* first(sql: string, values: readonly SqlValue[] = []): Steps<readonly unknown[] | undefined> {
  const { rows } = yield { sql, values, reads: true };
  return rows[0];
}

/** Makes the steps atomic: if they fail, they leave nothing behind, even if the caller continues the transaction. */
export function* atomically<R>(steps: Steps<R>): Steps<R> {
  yield { sql: 'SAVEPOINT typed' };
  let result: R;
  try {
    result = yield* steps;
  } catch (error) {
    try {
      yield { sql: 'ROLLBACK TO SAVEPOINT typed' };
      yield { sql: 'RELEASE SAVEPOINT typed' };
    } catch {
      // The whole transaction has failed, because of the connection or lack of space; the first error reports that.
    }
    throw error;
  }
  yield { sql: 'RELEASE SAVEPOINT typed' };
  return result;
}
