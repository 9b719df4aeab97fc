import { datasets } from '../collections.ts';
import { errors } from '../errors.ts';
import type { DatasetsCall } from '../jar.ts';
import type { Dataset } from '../model/types.ts';

/** Whoever may see it. A dataset whose creation is not done is not there. */
export async function readDataset({ jar }: Pick<DatasetsCall, 'jar'>, id: string): Promise<Dataset | undefined> {
  const dataset = (await jar.store.cached(datasets, id.toLowerCase()))?.value;
  return dataset?.isPending ? undefined : dataset;
}

export const datasetNotFound = (id: string) => errors.PowerBIEntityNotFound({ what: 'dataset', id: id.slice(0, 100) });

export const workspaceNotFound = (id: string) =>
  errors.PowerBIEntityNotFound({ what: 'workspace', id: id.slice(0, 100) });
