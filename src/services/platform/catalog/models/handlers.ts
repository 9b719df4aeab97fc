import { eq, SLICE } from '../../../../kernel/store/index.ts';
import { runInSteps, workHandler } from '../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { freeCount } from '../../limits/take.ts';
import { modelVersions, versionKey } from './collections.ts';
import { FAIL_VERSION, failureId, REMOVE_VERSIONS } from './work.ts';

/** Due work: removes the versions of a removed model in slices, and frees their counts. */
const removeVersions = workHandler(REMOVE_VERSIONS, async (item, jar: PlatformJar, halt) => {
  const { metastore, model } = item.payload;
  const remove = (): Promise<boolean> =>
    jar.store.transact(async (tx) => {
      const { items, next } = await tx.query(modelVersions, { filter: eq('model', model), limit: SLICE });
      for (const { key, value } of items) {
        await tx.delete(modelVersions, key);
        if (value.status === 'PENDING_REGISTRATION') await tx.cancel(failureId(model, value.version));
      }
      const count = items.length;
      if (count > 0) {
        await freeCount(tx, jar, { row: 'model-versions', scope: [metastore, model], count });
        await freeCount(tx, jar, { row: 'metastore-model-versions', scope: [metastore], count });
      }
      return next !== undefined;
    });
  const finish = async (): Promise<boolean> => {
    await jar.store.transact((tx) => tx.complete(item));
    return false;
  };
  await runInSteps(item, jar, halt, [remove, finish]);
});

/** Due work: fails a version whose files were not completed in time. */
const failVersion = workHandler(FAIL_VERSION, async (item, jar: PlatformJar) => {
  const { model, version } = item.payload;
  await jar.store.transact(async (tx) => {
    const key = versionKey(model, version);
    const found = (await tx.get(modelVersions, key))?.value;
    if (found?.status === 'PENDING_REGISTRATION')
      await tx.put(modelVersions, key, { ...found, status: 'FAILED_REGISTRATION', updatedAt: jar.clock.now() });
    await tx.complete(item);
  });
});

export const MODEL_HANDLERS = [removeVersions, failVersion];
