import { workHandler } from '../../../kernel/work/index.ts';
import { datasets } from '../collections.ts';
import type { DatasetsJar } from '../jar.ts';
import { FINISH_CREATION } from '../work.ts';
import { recordCreation } from './make.ts';

/** After this, a dataset with deferred creation can be found. */
export const finishCreation = workHandler(FINISH_CREATION, (item, jar: DatasetsJar) =>
  jar.store.transact(async (tx) => {
    const dataset = (await tx.get(datasets, item.payload.dataset))?.value;
    if (dataset?.isPending) {
      await tx.put(datasets, dataset.id, { ...dataset, isPending: false });
      await recordCreation(tx, jar, dataset);
    }
    await tx.complete(item);
  }),
);
