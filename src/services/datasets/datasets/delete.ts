import { ok } from '../../../kernel/http/index.ts';
import { datasetNotFound, findDataset } from '../access/find.ts';
import { datasets } from '../collections.ts';
import { routeCode } from '../jar.ts';
import { removeDataset } from './remove.ts';

export const deleteDataset = routeCode(['dataset'], {
  async handle(call) {
    const { jar } = call;
    const { id } = await findDataset(call, call.params.dataset);
    await jar.store.transact(async (tx) => {
      const found = await tx.get(datasets, id);
      if (!found) throw datasetNotFound(id);
      await removeDataset(tx, jar, found.value);
    });
    return ok(undefined);
  },
});
