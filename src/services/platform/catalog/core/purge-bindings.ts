import { SLICE } from '../../../../kernel/store/index.ts';
import type { WorkspacePurge } from '../../accounts/purge.ts';
import { securables } from './securables.ts';

/** Isolated securables are no longer bound to a workspace that was deleted. They stay isolated. */
export const purgeBindings: WorkspacePurge =
  ({ store }, { id }) =>
  () =>
    store.transact(async (tx) => {
      const { items } = await tx.query(securables, {
        filter: { op: 'has', field: 'workspaces', value: id },
        limit: SLICE,
      });
      for (const { key } of items) {
        const found = (await tx.get(securables, key))?.value;
        if (found?.bindings)
          await tx.put(securables, key, {
            ...found,
            bindings: found.bindings.filter(({ workspace }) => workspace !== id),
          });
      }
      return items.length === SLICE;
    });
