import type { JarClock } from '../clock/types.ts';
import { StoreError } from '../store/errors.ts';
import type { Store, Tx, WorkItem } from '../store/types.ts';

/**
 * When another node restores a snapshot, the time goes back with the state. A concurrent claim of this node used the earlier time, and may
 * have claimed items that are not due for days. Returns the items that may run, and puts the others back.
 */
export async function claimedInTime(
  claimed: WorkItem[],
  epoch: number,
  { store, clock }: { readonly store: Store; readonly clock: JarClock },
): Promise<WorkItem[]> {
  if (claimed.length === 0 || !store.hasOtherWriters) return claimed;
  await clock.refresh();
  if (clock.epoch === epoch) return claimed;
  for (const item of claimed) await putBack(store, item);
  return [];
}

/** Restores the state before the claim. */
export async function putBack(store: Store, item: WorkItem): Promise<void> {
  const putOrRetry = async (tx: Tx): Promise<void> => {
    if (!(await tx.settle(item, async () => item.dueAt)))
      await tx.retry(item, item.dueAt, 'claimed before the clock was moved back');
  };
  try {
    await store.transact(putOrRetry);
  } catch (error) {
    // A restore or another node has ended the lease and taken over the item.
    if (!(error instanceof StoreError && error.code === 'LEASE_LOST')) throw error;
  }
}
