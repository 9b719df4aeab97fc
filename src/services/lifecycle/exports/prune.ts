import type { Jar } from '../../../kernel/service/index.ts';
import { deletionSteps, type Filter, type Store, type Tx } from '../../../kernel/store/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';
import { runInSteps, workHandler } from '../../../kernel/work/index.ts';
import { exportJournal, exportQueue, type JournalEntry, KEPT_MS, queueKey, tailOf } from './collections.ts';
import { PRUNE_EXPORTS, wakePruning } from './work.ts';

/** Few entries per transaction, because an entry can be as large as a request. */
const ENTRIES = 20;

/** Maximum number of journal entries over all apps; lower for entries that no configuration has queued. */
const MOST = [
  { isWanted: false, most: 20_000 },
  { isWanted: true, most: 100_000 },
];

/** Deletes expired journal entries, or everything queued for a deleted configuration. */
export const pruneExports = workHandler(PRUNE_EXPORTS, async (item, jar: Jar, halt) => {
  const { configurationId } = item.payload;
  if (configurationId !== undefined) {
    return runInSteps(item, jar, halt, [deletionSteps(jar.store, exportQueue, { prefix: `${configurationId}/` })]);
  }
  const now = jar.clock.now();
  for (const { isWanted, most } of MOST) {
    const ofThese = { op: 'eq', field: 'isWanted', value: isWanted } as const;
    const tooOld = { op: 'lt', field: 'receivedAt', value: now - KEPT_MS } as const;
    while (
      !halt.aborted &&
      (await dropOldest(jar.store, { op: 'and', args: [ofThese, tooOld] }, ENTRIES)) === ENTRIES
    ) {
      // One page after another.
    }
    let over = (await jar.store.count(exportJournal, { filter: ofThese })) - most;
    while (!halt.aborted && over > 0) {
      const dropped = await dropOldest(jar.store, ofThese, Math.min(over, ENTRIES));
      over = dropped === 0 ? 0 : over - dropped;
    }
  }
  await jar.store.transact(async (tx) => {
    await tx.complete(item);
    const isEmpty = (await tx.query(exportJournal, { limit: 1 })).items.length === 0;
    if (!isEmpty) await wakePruning(tx, now + DAY_MS);
  });
});

function dropOldest(store: Store, filter: Filter, limit: number): Promise<number> {
  return store.transact(async (tx) => {
    const { items } = await tx.query(exportJournal, { filter, order: [{ field: 'receivedAt' }], limit });
    for (const { key, value } of items) await dropEntry(tx, key, value);
    return items.length;
  });
}

async function dropEntry(tx: Tx, key: string, { queuedFor }: JournalEntry): Promise<void> {
  await tx.delete(exportJournal, key);
  for (const id of queuedFor) await tx.delete(exportQueue, queueKey(id, tailOf(key)));
}
