import { deletionSteps } from '../../../../../kernel/store/index.ts';
import { runInSteps, workHandler } from '../../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../../jar.ts';
import { sharedObjects } from '../collections.ts';
import { DROP_SHARED } from '../work.ts';

/** Removes the objects of a removed share, which can no longer be found by name. */
export const dropShared = workHandler(DROP_SHARED, async (item, jar: PlatformJar, halt) => {
  const finish = async (): Promise<boolean> => {
    await jar.store.transact((tx) => tx.complete(item));
    return false;
  };
  const drop = deletionSteps(jar.store, sharedObjects, { prefix: `${item.payload.share}/` });
  await runInSteps(item, jar, halt, [drop, finish]);
});
