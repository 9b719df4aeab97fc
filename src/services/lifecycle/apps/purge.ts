import type { WorkHandler } from '../../../kernel/service.ts';
import { PURGES } from './on-delete.ts';

/** So many documents are removed in one transaction, which others hardly notice. */
const SLICE = 500;

export const purgeApp: Pick<WorkHandler, 'run'> = {
  async run(item, { store, clock }, halt) {
    const { appId } = item.payload as { appId: string };
    for (const load of PURGES) {
      const purge = await load();
      for (;;) {
        if (halt.aborted) {
          // Goes on from what is left, and does not count as a failure.
          const { id, kind, payload } = item;
          await store.transact((tx) => tx.schedule({ id, kind, payload, dueAt: clock.now() }));
          return;
        }
        if ((await store.transact((tx) => purge(tx, appId, SLICE))) < SLICE) break;
      }
    }
  },
};
