import { datasets } from '../collections.ts';
import { errors } from '../errors.ts';
import type { DatasetsCall } from '../jar.ts';
import type { Dataset } from '../model/types.ts';

/** Does not check permissions. A dataset whose creation is still pending counts as missing. */
export async function readDataset(
  { jar: { store } }: Pick<DatasetsCall, 'jar'>,
  id: string,
  isFresh = false,
): Promise<Dataset | undefined> {
  const found = isFresh ? store.get(datasets, id.toLowerCase()) : store.cached(datasets, id.toLowerCase());
  const dataset = (await found)?.value;
  return dataset?.isPending ? undefined : dataset;
}

export const datasetNotFound = (id: string) => errors.PowerBIEntityNotFound({ what: 'dataset', id: id.slice(0, 100) });

export const workspaceNotFound = (id: string) =>
  errors.PowerBIEntityNotFound({ what: 'workspace', id: id.slice(0, 100) });
