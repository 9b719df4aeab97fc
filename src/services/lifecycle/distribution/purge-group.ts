import type { WorkHandler } from '../../../kernel/service.ts';
import { eq } from '../list-all.ts';
import { testers } from './collections.ts';

/** So many are removed in one transaction, which others hardly notice. */
const SLICE = 500;

export const purgeGroup: Pick<WorkHandler, 'run'> = {
  async run(item, { store }, halt) {
    const { groupId } = item.payload as { groupId: string };
    const query = { filter: eq('groupId', groupId), limit: SLICE };
    for (;;) {
      // What is left then is found by the next attempt.
      if (halt.aborted) throw new Error('the purge of a distribution group was interrupted');
      const removed = await store.transact(async (tx) => {
        const { items } = await tx.query(testers, query);
        for (const { key } of items) await tx.delete(testers, key);
        return items.length;
      });
      if (removed < SLICE) return;
    }
  },
};
