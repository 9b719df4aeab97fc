import type { Steps } from '../typed/steps.ts';
import type { Connection } from './connection.ts';

/** Runs the statements one after another on a connection that is in a transaction; a single statement needs no transaction. */
export async function runSteps<R>(on: Connection, steps: Steps<R>): Promise<R> {
  let next = steps.next();
  while (!next.done) {
    const { sql, values = [] } = next.value;
    let result: Awaited<ReturnType<Connection['query']>>;
    try {
      result = await on.query(sql, values);
    } catch (error) {
      next = steps.throw(error);
      continue;
    }
    next = steps.next(result);
  }
  return next.value;
}
