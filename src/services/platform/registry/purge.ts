import { deleteAll, eq } from '../../../kernel/store/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import type { PlatformJar } from '../jar.ts';
import { activities, requests, versions } from './collections.ts';
import { PURGE_MODEL } from './work.ts';

/** Removes everything that belonged to a deleted model, in batches. Ids of models are never reused, so nothing is added meanwhile. */
export const purgeModel = workHandler(PURGE_MODEL, async (item, jar: PlatformJar) => {
  const { store } = jar;
  const { key } = item.payload;
  await deleteAll(store, requests, { prefix: `${key}/` });
  await deleteAll(store, activities, { filter: eq('model', key) });
  await deleteAll(store, versions, { filter: eq('model', key) });
  await store.transact((tx) => tx.complete(item));
});
