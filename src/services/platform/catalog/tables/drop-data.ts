import { deleteSome, deletionSteps } from '../../../../kernel/store/index.ts';
import { runInSteps, workHandler } from '../../../../kernel/work/index.ts';
import { dropBlob } from '../../blobs/store.ts';
import type { PlatformJar } from '../../jar.ts';
import { referenceKey, tableColumns, tableFiles, tableReferences, tableStates, tableVersions } from './collections.ts';
import { DROP_TABLE_DATA } from './work.ts';

/** Files per transaction, since each has bytes to remove. */
const SLICE = 50;

/** Due work: removes the data of a removed table. Files of volumes keep their bytes. */
export const dropTableData = workHandler(DROP_TABLE_DATA, async (item, jar: PlatformJar, halt) => {
  const { table } = item.payload;
  const prefix = `${table}/`;
  const files = (): Promise<boolean> =>
    jar.store.transact(async (tx) => {
      const { items } = await tx.query(tableFiles, { prefix, limit: SLICE });
      for (const { key, value } of items) {
        await tx.delete(tableFiles, key);
        if (!value.borrowed) await dropBlob(tx, value, jar.clock.now());
      }
      return items.length === SLICE;
    });
  const state = async (): Promise<boolean> => {
    await jar.store.transact((tx) => deleteSome(tx, tableStates, { prefix: table }));
    return false;
  };
  await runInSteps(item, jar, halt, [
    files,
    deletionSteps(jar.store, tableVersions, { prefix }),
    deletionSteps(jar.store, tableColumns, { prefix, limit: 20 }),
    deletionSteps(jar.store, tableReferences, { prefix: referenceKey(table) }),
    state,
  ]);
});
