import type { Store, Tx, WorkItem } from '../store/types.ts';
import { pause } from '../time/timers.ts';

/** On PostgreSQL a transaction that wakes an item, or a change, may be under way when somebody looks for it. */
const LOOK_AGAIN_MS = 10;

/** What a round came to: the item is settled, there is more to do at once, or there may be more once others have committed. */
export type RoundEnd = 'settled' | 'more' | 'unsettled';

/** Repeats a round of work until it has settled its item, waiting a moment after one that could do nothing but look. */
export async function untilSettled(round: () => Promise<RoundEnd>): Promise<void> {
  for (let end = await round(); end !== 'settled'; end = await round()) {
    if (end === 'unsettled') await pause(LOOK_AGAIN_MS);
  }
}

/**
 * Ends a claimed item that others wake: it waits for the time that `next` gives, or is gone where that is undefined. Tries again while somebody
 * who wakes it has not committed yet, so `next` may run several times.
 */
export function settle(
  store: Pick<Store, 'transact'>,
  item: WorkItem<unknown>,
  next: (tx: Tx) => Promise<number | undefined>,
): Promise<void> {
  return untilSettled(() => trySettle(store, item, next));
}

/** One try of `settle`, for rounds that do something before each. */
export async function trySettle(
  store: Pick<Store, 'transact'>,
  item: WorkItem<unknown>,
  next: (tx: Tx) => Promise<number | undefined>,
): Promise<'settled' | 'unsettled'> {
  return (await store.transact((tx) => tx.settle(item, () => next(tx)))) ? 'settled' : 'unsettled';
}
