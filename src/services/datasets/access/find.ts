import { errors } from '../errors.ts';
import type { DatasetsCall } from '../jar.ts';
import type { Dataset, Table } from '../model/types.ts';
import { datasetNotFound, readDataset } from './lookup.ts';
import { placeIn } from './place.ts';

export { datasetNotFound } from './lookup.ts';

/**
 * The dataset with this id in the call's workspace; a dataset of another workspace is not found. The cached copy can be slightly stale if
 * another node has changed the dataset; `isFresh` reads from the store.
 */
export async function findDataset(call: DatasetsCall, id: string, isFresh = false): Promise<Dataset> {
  const { key } = placeIn(call);
  const dataset = await readDataset(call, id, isFresh);
  if (!dataset || dataset.workspace !== key) throw datasetNotFound(id);
  return dataset;
}

/** Table names in a URL are case-sensitive. */
export function tableOf({ tables }: Dataset, name: string): Table {
  const table = tables.find((each) => each.name === name);
  if (!table) throw errors.ItemNotFound({ table: name.slice(0, 100) });
  return table;
}
