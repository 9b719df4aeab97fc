import { deletingSlices } from '../../../kernel/store/delete-some.ts';
import { allOf, eq } from '../../../kernel/store/filters.ts';
import type { Store, Tx } from '../../../kernel/store/types.ts';
import type { LegacyWork } from '../../../kernel/whole-service.ts';
import { runInSteps } from '../../../kernel/work/steps.ts';
import { logReceipts } from '../logs/collections.ts';
import { deviceDays, deviceProfiles, eventValues } from './collections.ts';

/** Deleted in one transaction, so that others can write between them. */
const STEP = 200;

interface Day {
  readonly appId: string;
  readonly day: string;
}

/** Detail of a day is kept for ninety days; so is what is known of devices that were last seen then. */
export const forgetDay: Pick<LegacyWork, 'run'> = {
  async run(item, jar, halt) {
    const { store } = jar;
    const { appId, day } = item.payload as unknown as Day;
    await runInSteps(item, jar, halt, [
      deletingSlices(store, deviceDays, { prefix: `${appId}/${day}/`, limit: STEP }),
      deletingSlices(store, eventValues, { prefix: `${appId}/${day}/`, limit: STEP }),
      async () => (await deleteProfiles(store, { appId, day })) >= STEP,
    ]);
  },
};

/** Of devices that were not seen since. */
function deleteProfiles(store: Store, { appId, day }: Day): Promise<number> {
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
