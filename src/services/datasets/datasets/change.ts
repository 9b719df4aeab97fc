import type { Json } from '../../../kernel/store/index.ts';
import { datasetNotFound, findDataset } from '../access/find.ts';
import { type DatasetsChange, datasetSubject, recordChange } from '../changes.ts';
import { datasets } from '../collections.ts';
import type { DatasetsCall } from '../jar.ts';
import type { Dataset } from '../model/types.ts';

/** The changed dataset and the data of its change record. */
export interface ChangedDataset {
  readonly dataset: Dataset;
  readonly data?: Readonly<Record<string, Json>>;
}

/** Changes a dataset document in one transaction. `change` throws to reject. */
export async function changeDataset(
  call: DatasetsCall,
  id: string,
  kind: DatasetsChange['kind'],
  change: (dataset: Dataset) => ChangedDataset,
): Promise<void> {
  const { jar } = call;
  const { id: key } = await findDataset(call, id);
  await jar.store.transact(async (tx) => {
    const found = (await tx.get(datasets, key))?.value;
    if (!found) throw datasetNotFound(id);
    const { dataset, data } = change(found);
    await tx.put(datasets, key, dataset);
    const { tenantId, name } = found;
    await recordChange(tx, jar, {
      kind,
      subject: datasetSubject(key),
      data: { tenantId, dataset: key, name, ...data },
    });
  });
}
