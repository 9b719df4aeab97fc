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

/**
 * The cells of a page of rows match the columns only if the schema has not changed since. Lines of an export that are already sent cannot be
 * undone, so its response is aborted.
 */
export async function refuseOtherSchema(
  jar: Pick<DatasetsJar, 'store'>,
  { dataset, table }: FoundTable,
): Promise<void> {
  const { table: now } = await findAnyTable(jar, dataset.id, table.name);
  if (now.schema !== table.schema) throw bulkErrors.SchemaChanged();
}
