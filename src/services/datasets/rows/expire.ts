import type { Tx } from '../../../kernel/store/index.ts';
import { settle, workHandler } from '../../../kernel/work/index.ts';
import { tableStates } from '../collections.ts';
import type { DatasetsJar } from '../jar.ts';
import { EXPIRE_ROWS } from '../work.ts';

/** Removes expired rows of a streaming table. */
export const expireRows = workHandler(EXPIRE_ROWS, async (item, jar: DatasetsJar) => {
  const { table: key } = item.payload;
  await jar.store.transact((tx) => removeExpired(tx, jar, key));
  await settle(jar.store, item, async (tx) => {
    const { streamingRetention } = await jar.settings.within(tx);
    const [oldest] = (await tx.get(tableStates, key, 'none'))?.value.batches ?? [];
    return oldest && oldest.at + streamingRetention;
  });
});

async function removeExpired(tx: Tx, jar: DatasetsJar, key: string): Promise<void> {
  const { streamingRetention } = await jar.settings.within(tx);
  const state = (await tx.get(tableStates, key))?.value;
  if (!state?.batches) return;
  const until = jar.clock.now() - streamingRetention;
  const isExpired = ({ at }: { readonly at: number }): boolean => at <= until;
  const count = state.batches.filter(isExpired).reduce((sum, { rows }) => sum + rows, 0);
  const batches = state.batches.filter((batch) => !isExpired(batch));
  if (count > 0) await tx.tables.removeOldest(state.storage, count);
  await tx.put(tableStates, key, { ...state, rows: state.rows - count, batches });
}
