import { datasets } from '../collections.ts';
import { controlErrors } from '../control/errors.ts';
import type { DatasetsJar } from '../jar.ts';
import type { Dataset, Table } from '../model/types.ts';
import { bulkErrors } from './errors.ts';

export interface FoundTable {
  readonly dataset: Dataset;
  readonly table: Table;
}

/** The dataset with this id in any workspace, for the jar's administrator. */
export async function findAnyDataset({ store }: Pick<DatasetsJar, 'store'>, id: string): Promise<Dataset> {
  const dataset = (await store.get(datasets, id.toLowerCase()))?.value;
  if (!dataset) throw controlErrors.DatasetNotFound({ id: id.slice(0, 100) });
  if (dataset.isPending) throw bulkErrors.DatasetPending({ dataset: dataset.id });
  return dataset;
}

export async function findAnyTable(jar: Pick<DatasetsJar, 'store'>, id: string, name: string): Promise<FoundTable> {
  const dataset = await findAnyDataset(jar, id);
  const table = dataset.tables.find((each) => each.name === name);
  if (table) return { dataset, table };
  const known = dataset.tables.map((each) => `'${each.name}'`).join(', ') || 'none';
  throw bulkErrors.TableNotFound({ dataset: dataset.id, table: name.slice(0, 100), known });
}
