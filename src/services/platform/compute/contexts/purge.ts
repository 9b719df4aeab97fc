import { SLICE } from '../../../../kernel/store/index.ts';
import type { WorkspacePurge } from '../../accounts/purge.ts';
import { contexts } from '../collections.ts';
import { syncContextSoon } from './containers/sync.ts';

/** Removes the contexts of a deleted workspace. Their own work items remove their containers. */
export const purgeContexts: WorkspacePurge =
  (jar, { id }) =>
  () =>
    jar.store.transact(async (tx) => {
      const { items } = await tx.query(contexts, { prefix: `${id}/`, limit: SLICE });
      for (const { key, value } of items) {
        await tx.delete(contexts, key);
        if (value.status !== undefined) await syncContextSoon(tx, jar, key);
      }
      return items.length === SLICE;
    });
