import type { Tx } from '../../../kernel/store/index.ts';
import { datasetSubject, recordChange } from '../changes.ts';
import { datasets, tableKey, tableStates } from '../collections.ts';
import type { DatasetsJar } from '../jar.ts';
import type { Dataset } from '../model/types.ts';
import { freeRows } from '../rows/clear.ts';
import { expireId, finishId } from '../work.ts';

/** Removes a dataset and everything that belongs to it, in the caller's transaction. */
export async function removeDataset(tx: Tx, jar: DatasetsJar, dataset: Dataset): Promise<void> {
  const { id, tenantId, name, tables } = dataset;
  await tx.delete(datasets, id);
  await tx.cancel(finishId(id));
  for (const { name: table, storage } of tables) {
    const key = tableKey(id, storage);
    const state = await tx.get(tableStates, key);
    await tx.delete(tableStates, key);
    await tx.cancel(expireId(key));
    await tx.tables.drop(storage);
    await freeRows(tx, jar, dataset, table, state?.value.rows ?? 0);
  }
  await recordChange(tx, jar, { kind: 'delete', subject: datasetSubject(id), data: { tenantId, dataset: id, name } });
}
