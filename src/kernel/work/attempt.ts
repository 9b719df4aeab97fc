import type { Clock } from '../clock/types.ts';
import { StoreError } from '../store/errors.ts';
import type { Store, WorkItem } from '../store/types.ts';
import { MAX_ATTEMPTS, retryDelay } from './backoff.ts';
import type { BoundWork } from './kind.ts';
import type { WorkLog } from './worker.ts';

/**
 * The outcome of an attempt. `lost`: another holder has the item now, or it was cancelled. `unknown`: the store did not answer, so the item
 * is retried when its lease expires.
 */
export type Attempt = 'completed' | 'retried' | 'parked' | 'lost' | 'unknown';

interface AttemptContext {
  readonly handler: BoundWork;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: WorkLog;
  readonly halt: AbortSignal;
}

/** Longer reasons are truncated, because they are stored with the item. */
const LONGEST_REASON = 1000;

/** Runs an item once and completes, retries or parks it; never rejects. */
export async function runAttempt(item: WorkItem, context: AttemptContext): Promise<Attempt> {
  // `failed` parks items after too many failures. An item that exceeds the maximum here has killed its holders.
  const { maxAttempts = MAX_ATTEMPTS } = context.handler;
  if (item.attempts >= maxAttempts)
    return failed(item, new Error('every process that ran it ended before it did'), context);
  try {
    await context.handler.run(item, context.halt);
  } catch (error) {
    if (isLeaseLost(error)) return lost(item, context.log);
    return failed(item, error, context);
  }
  try {
    await context.store.transact((tx) => tx.complete(item));
  } catch (error) {
    // The handler has completed the item within its own transaction, as it should, or the item was cancelled.
    if (!isLeaseLost(error)) return unanswered(item, error, context.log);
  }
  return 'completed';
}

async function failed(item: WorkItem, error: unknown, context: AttemptContext): Promise<Attempt> {
  const { store, clock, log } = context;
  const { maxAttempts = MAX_ATTEMPTS } = context.handler;
  const failures = item.attempts + 1;
  const delay = retryDelay(failures, maxAttempts);
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_REASON);
  const said = { kind: item.kind, id: item.id, attempt: failures, of: maxAttempts, err: error };
  log.warn(
    said,
    delay === undefined ? 'work failed for the last time and is parked' : 'work failed and will be retried',
  );
  try {
    await store.transact((tx) =>
      delay === undefined ? tx.park(item, reason) : tx.retry(item, clock.now() + delay, reason),
    );
  } catch (ending) {
    return isLeaseLost(ending) ? lost(item, log) : unanswered(item, ending, log);
  }
  return delay === undefined ? 'parked' : 'retried';
}

function lost(item: WorkItem, log: WorkLog): Attempt {
  log.debug({ kind: item.kind, id: item.id }, 'work was taken over or canceled while it ran');
  return 'lost';
}

function unanswered(item: WorkItem, error: unknown, log: WorkLog): Attempt {
  log.error({ kind: item.kind, id: item.id, err: error }, 'the result of work could not be stored; it will be retried');
  return 'unknown';
}

function isLeaseLost(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'LEASE_LOST';
}
