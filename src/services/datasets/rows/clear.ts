import { ok } from '../../../kernel/http/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { datasetNotFound, findDataset, tableOf } from '../access/find.ts';
import { recordChange, tableSubject } from '../changes.ts';
import { type TableState, tableKey, tableStates } from '../collections.ts';
import { type DatasetsJar, routeCode } from '../jar.ts';
import { ROWS_PER_TABLE } from '../limits.ts';
import type { Dataset } from '../model/types.ts';
import { keepsAll } from './append.ts';

/** Deletes all rows of a table. Sequence numbers are kept, so a request repeated after the deletion does not add its rows again. */
export const deleteRows = routeCode(['dataset', 'table'], {
  async handle(call) {
    const { jar, params } = call;
    const dataset = await findDataset(call, params.dataset);
    const table = tableOf(dataset, params.table);
    await jar.store.transact(async (tx) => {
      const key = tableKey(dataset.id, table.storage);
      const state = (await tx.get(tableStates, key))?.value;
      if (!state) throw datasetNotFound(dataset.id);
      await clearRows(tx, jar, dataset, state);
    });
    return ok(undefined);
  },
});

/** Removes every row of a table in the caller's transaction. Returns the new state of the table. */
export async function clearRows(tx: Tx, jar: DatasetsJar, dataset: Dataset, state: TableState): Promise<TableState> {
  const { table, rows: count } = state;
  await tx.tables.clear(state.storage);
  await freeRows(tx, jar, dataset, table, count);
  const next: TableState = { ...state, rows: 0, ...(state.batches && { batches: [] }) };
  await tx.put(tableStates, tableKey(dataset.id, state.storage), next);
  const data = { tenantId: dataset.tenantId, dataset: dataset.id, table, count };
  await recordChange(tx, jar, { kind: 'clear', subject: tableSubject(dataset.id, table), data });
  return next;
}

export async function freeRows(tx: Tx, { limits }: DatasetsJar, dataset: Dataset, table: string, count: number) {
  if (keepsAll(dataset)) await limits.freeQuota(tx, { limit: ROWS_PER_TABLE, scope: [dataset.id, table], count });
}
