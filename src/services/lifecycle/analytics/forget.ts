import type { Jar } from '../../../kernel/service/index.ts';
import { allOf, deletingSlices, eq, type Store, type Tx } from '../../../kernel/store/index.ts';
import { handleWork, runInSteps } from '../../../kernel/work/index.ts';
import { logReceipts } from '../logs/collections.ts';
import { deviceDays, deviceProfiles, eventValues } from './collections.ts';
import { type AppDay, FORGET_DAY } from './work.ts';

/** Deleted in one transaction, so that others can write between them. */
const STEP = 200;

/** Detail of a day is kept for ninety days; so is what is known of devices that were last seen then. */
export const forgetDay = handleWork(FORGET_DAY, async (item, jar: Jar, halt) => {
  const { store } = jar;
  const { appId, day } = item.payload;
  await runInSteps(item, jar, halt, [
    deletingSlices(store, deviceDays, { prefix: `${appId}/${day}/`, limit: STEP }),
    deletingSlices(store, eventValues, { prefix: `${appId}/${day}/`, limit: STEP }),
    async () => (await deleteProfiles(store, { appId, day })) >= STEP,
  ]);
});

/** Of devices that were not seen since. */
function deleteProfiles(store: Store, { appId, day }: AppDay): Promise<number> {
  const filter = allOf(eq('appId', appId), eq('lastDay', day));
  return store.transact(async (tx: Tx) => {
    const { items } = await tx.query(deviceProfiles, { filter, limit: STEP });
    for (const { key } of items) {
      // It may have come back since it was found.
      if ((await tx.get(deviceProfiles, key))?.value.lastDay !== day) continue;
      await tx.delete(deviceProfiles, key);
      await tx.delete(logReceipts, key);
    }
    return items.length;
  });
}
