import { ok } from '../../../kernel/http/index.ts';
import { callerOf } from '../access/caller.ts';
import { routeCode } from '../jar.ts';
import { changeDataset } from './change.ts';

/** The caller becomes the owner. */
export const takeOverDataset = routeCode(['dataset'], {
  async handle(call) {
    const { objectId: ownerId, name: configuredBy } = callerOf(call);
    await changeDataset(call, call.params.dataset, 'update', (dataset) => ({
      dataset: { ...dataset, ownerId, configuredBy },
      data: { configuredBy },
    }));
    return ok(undefined);
  },
});
