import type { Store, Tx, WorkItem } from '../store/types.ts';
import { pause } from '../time/timers.ts';

/** On PostgreSQL, a transaction that wakes an item or writes a change may still be uncommitted when it is looked for. */
const POLL_INTERVAL_MS = 10;

/**
 * The outcome of a round: the item is settled, there is more to do immediately, or there may be more after other transactions have
 * committed.
 */
export type RoundOutcome = 'settled' | 'more' | 'unsettled';

/** Repeats a round of work until it has settled its item, with a pause after each round that found only uncommitted work. */
export async function untilSettled(round: () => Promise<RoundOutcome>): Promise<void> {
  for (let end = await round(); end !== 'settled'; end = await round()) {
    if (end === 'unsettled') await pause(POLL_INTERVAL_MS);
  }
}

/**
 * Ends a claimed item that other transactions wake: it then waits for the time that `next` returns, or is removed if that is undefined.
 * Retries while a transaction that wakes it is uncommitted, so `next` may run several times.
 */
export function settle(
  store: Pick<Store, 'transact'>,
  item: WorkItem<unknown>,
  next: (tx: Tx) => Promise<number | undefined>,
): Promise<void> {
  return untilSettled(() => trySettle(store, item, next));
}

/** A single attempt of `settle`, for rounds that do something before each attempt. */
export async function trySettle(
  store: Pick<Store, 'transact'>,
  item: WorkItem<unknown>,
  next: (tx: Tx) => Promise<number | undefined>,
): Promise<'settled' | 'unsettled'> {
  return (await store.transact((tx) => tx.settle(item, () => next(tx)))) ? 'settled' : 'unsettled';
}
