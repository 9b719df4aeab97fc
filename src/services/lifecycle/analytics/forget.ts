import type { Collection, Filter, Store, Tx } from '../../../kernel/store/types.ts';
import type { LegacyWork } from '../../../kernel/whole-service.ts';
import { goOnLater } from '../go-on-later.ts';
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
    const steps = [
      () => deleteSome(store, deviceDays, `${appId}/${day}/`),
      () => deleteSome(store, eventValues, `${appId}/${day}/`),
      () => deleteProfiles(store, { appId, day }),
    ];
    for (const step of steps) {
      for (;;) {
        if (halt.aborted) return goOnLater(item, jar);
        if ((await step()) < STEP) break;
      }
    }
  },
};

function deleteSome<T>(store: Store, from: Collection<T>, prefix: string): Promise<number> {
  return store.transact(async (tx) => {
    const { items } = await tx.query(from, { prefix, limit: STEP });
    for (const { key } of items) await tx.delete(from, key);
    return items.length;
  });
}

/** Of devices that were not seen since. */
function deleteProfiles(store: Store, { appId, day }: Day): Promise<number> {
  const filter: Filter = {
    op: 'and',
    args: [
      { op: 'eq', field: 'appId', value: appId },
      { op: 'eq', field: 'lastDay', value: day },
    ],
  };
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
