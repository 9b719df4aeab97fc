import { allOf, eq, readAll, SLICE } from '../../../../kernel/store/index.ts';
import type { WorkspacePurge } from '../../accounts/purge.ts';
import { BOUND_TYPES } from './bound-types.ts';
import { everyOf, listOf, securables } from './securables.ts';

/** Removes bindings to a deleted workspace. The securables stay isolated. */
export const purgeBindings: WorkspacePurge =
  ({ store }, { id, accountId }) =>
  () =>
    store.transact(async (tx) => {
      const metastores = await readAll(tx, securables, { filter: eq('list', listOf(accountId, 'metastore')) });
      // By metastore and type, since a scan of all tables would take long.
      for (const each of metastores.flatMap(({ value }) => BOUND_TYPES.map((type) => everyOf(value.id, type)))) {
        const filter = allOf(eq('everyOf', each), { op: 'has', field: 'workspaces', value: id });
        const { items } = await tx.query(securables, { filter, limit: SLICE });
        for (const { key } of items) {
          const found = (await tx.get(securables, key))?.value;
          const bindings = found?.bindings?.filter(({ workspace }) => workspace !== id);
          if (found && bindings) await tx.put(securables, key, { ...found, bindings });
        }
        if (items.length === SLICE) return true;
      }
      return false;
    });
