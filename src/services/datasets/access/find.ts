import { datasets } from '../collections.ts';
import { errors } from '../errors.ts';
import type { DatasetsCall } from '../jar.ts';
import type { Dataset, Table } from '../model/types.ts';
import { placeIn } from './place.ts';

/**
 * The dataset of this id in the workspace of the call. One of another workspace is not found, whoever has guessed its id. What memory has may be a
 * moment old where another node has changed it; `isFresh` asks the store.
 */
export async function findDataset(call: DatasetsCall, id: string, isFresh = false): Promise<Dataset> {
  const { key } = placeIn(call);
  const { store } = call.jar;
  const found = isFresh ? store.get(datasets, id.toLowerCase()) : store.cached(datasets, id.toLowerCase());
  const dataset = (await found)?.value;
  if (!dataset || dataset.workspace !== key || dataset.isPending) throw datasetNotFound(id);
  return dataset;
}

export const datasetNotFound = (id: string) => errors.PowerBIEntityNotFound({ what: 'dataset', id: id.slice(0, 100) });

/** Names of tables in an address are case-sensitive. */
export function tableOf({ tables }: Dataset, name: string): Table {
  const table = tables.find((each) => each.name === name);
  if (!table) throw errors.ItemNotFound({ table: name.slice(0, 100) });
  return table;
}
