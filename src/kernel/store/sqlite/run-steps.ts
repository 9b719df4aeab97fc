import type { Step, StepResult, Steps } from '../typed/steps.ts';
import type { Database } from './database.ts';

const NO_ROWS: StepResult['rows'] = [];

/** Runs all steps synchronously, so that nothing else can happen on the connection in between. */
export function runSteps<R>(db: Database, steps: Steps<R>): R {
  let next = steps.next();
  while (!next.done) {
    let result: StepResult;
    try {
      result = runStep(db, next.value);
    } catch (error) {
      next = steps.throw(error);
      continue;
    }
    next = steps.next(result);
  }
  return next.value;
}

function runStep(db: Database, { sql, values, reads }: Step): StepResult {
  if (reads) return { rows: db.wideRows(sql, values), count: 0 };
  if (values) return { rows: NO_ROWS, count: db.run(sql, values) };
  // Statements that define tables never repeat, so they are not cached.
  db.exec(sql);
  return { rows: NO_ROWS, count: 0 };
}
