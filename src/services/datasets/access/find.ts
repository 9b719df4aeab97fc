import { datasets } from '../collections.ts';
import { errors } from '../errors.ts';
import type { DatasetsCall } from '../jar.ts';
import type { Dataset, Table } from '../model/types.ts';
import { placeIn } from './place.ts';

/** The dataset of this id in the workspace of the call. One of another workspace is not found, whoever has guessed its id. */
export async function findDataset(call: DatasetsCall, id: string): Promise<Dataset> {
  const { key } = placeIn(call);
  const dataset = (await call.jar.store.cached(datasets, id.toLowerCase()))?.value;
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
