import type { JarClock } from '../clock/types.ts';
import { StoreError } from '../store/errors.ts';
import type { Store, Tx, WorkItem } from '../store/types.ts';

/**
 * When another node restores a snapshot, the time goes back with the state. A claim of this node that was on its way then is by the
 * time before, and may have got what is not due for days. Gives what may run, and puts back the rest.
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

/** As if it had not been claimed. */
export async function putBack(store: Store, item: WorkItem): Promise<void> {
  const putOrRetry = async (tx: Tx): Promise<void> => {
    if (!(await tx.settle(item, async () => item.dueAt)))
      await tx.retry(item, item.dueAt, 'claimed by a time that was');
  };
  try {
    await store.transact(putOrRetry);
  } catch (error) {
    // A restore or another node has ended the lease, and has taken over the item with it.
    if (!(error instanceof StoreError && error.code === 'LEASE_LOST')) throw error;
  }
}
