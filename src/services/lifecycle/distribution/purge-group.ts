import type { LegacyWork } from '../../../kernel/whole-service.ts';
import { goOnLater } from '../go-on-later.ts';
import { eq } from '../list-all.ts';
import { testers } from './collections.ts';

/** So many are removed in one transaction, which others hardly notice. */
const SLICE = 500;

export const purgeGroup: Pick<LegacyWork, 'run'> = {
  async run(item, jar, halt) {
    const { groupId } = item.payload as { groupId: string };
    const query = { filter: eq('groupId', groupId), limit: SLICE };
    for (;;) {
      if (halt.aborted) return goOnLater(item, jar);
      const removed = await jar.store.transact(async (tx) => {
        const { items } = await tx.query(testers, query);
        for (const { key } of items) await tx.delete(testers, key);
        return items.length;
      });
      if (removed < SLICE) return;
    }
  },
};
