import type { WorkItem } from '../../../kernel/store/index.ts';
import { settle } from '../../../kernel/work/index.ts';
import type { PlatformJar } from '../jar.ts';
import { limitNameOf, rowOf } from './declared.ts';
import type { RowId } from './resource-rows.ts';

/**
 * The work that a change of a limit wakes: `wakeWaiting` wakes those who wait for room under it. A change that is made while this is at work
 * leaves the item alone, so that the item is done only when the limit is still as it was at the beginning.
 */
export async function afterLimitChange(
  item: WorkItem<unknown>,
  jar: PlatformJar,
  row: RowId,
  wakeWaiting: () => Promise<void>,
): Promise<void> {
  const { overrides } = jar.limits;
  const name = limitNameOf(rowOf(row));
  // Another node may have changed it.
  await overrides.load();
  const seen = overrides.list(name);
  await wakeWaiting();
  await settle(jar.store, item, async (tx) =>
    (await overrides.areStored(tx, name, seen)) ? undefined : jar.clock.now(),
  );
}
