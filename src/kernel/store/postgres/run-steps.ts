import type { Steps } from '../typed/steps.ts';
import type { Connection } from './connection.ts';

/** Runs them one statement after the other on a connection that is in a transaction, or for a single statement. */
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
