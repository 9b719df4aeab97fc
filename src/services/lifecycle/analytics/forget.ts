import type { Jar } from '../../../kernel/service/index.ts';
import { allOf, deletionSteps, eq, type Store, type Tx } from '../../../kernel/store/index.ts';
import { runInSteps, workHandler } from '../../../kernel/work/index.ts';
import { logReceipts } from '../logs/collections.ts';
import { deviceDays, deviceProfiles, eventValues } from './collections.ts';
import { type AppDay, FORGET_DAY } from './work.ts';

/** Documents deleted per transaction, so that other writers get their turn. */
const STEP = 200;

/** Details of a day are kept for ninety days, and so are devices last seen on that day. */
export const forgetDay = workHandler(FORGET_DAY, async (item, jar: Jar, halt) => {
  const { store } = jar;
  const { appId, day } = item.payload;
  await runInSteps(item, jar, halt, [
    deletionSteps(store, deviceDays, { prefix: `${appId}/${day}/`, limit: STEP }),
    deletionSteps(store, eventValues, { prefix: `${appId}/${day}/`, limit: STEP }),
    async () => (await deleteProfiles(store, { appId, day })) >= STEP,
  ]);
});

/** Deletes devices not seen since that day. */
function deleteProfiles(store: Store, { appId, day }: AppDay): Promise<number> {
  const filter = allOf(eq('appId', appId), eq('lastDay', day));
  return store.transact(async (tx: Tx) => {
    const { items } = await tx.query(deviceProfiles, { filter, limit: STEP });
    for (const { key } of items) {
      // The device may have been active again since the query.
      if ((await tx.get(deviceProfiles, key))?.value.lastDay !== day) continue;
      await tx.delete(deviceProfiles, key);
      await tx.delete(logReceipts, key);
    }
    return items.length;
  });
}
