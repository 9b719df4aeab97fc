import type { WorkItem } from '../../../kernel/store/index.ts';
import { settle } from '../../../kernel/work/index.ts';
import type { PlatformJar } from '../jar.ts';
import { limitNameOf, rowOf } from './declared.ts';
import type { RowId } from './resource-rows.ts';

/**
 * Work that a change of a limit wakes: `wakeWaiting` wakes work that waits for capacity under the limit. The item only completes if the
 * limit has not changed since it started; otherwise it runs again.
 */
export async function afterLimitChange(
  item: WorkItem<unknown>,
  jar: PlatformJar,
  row: RowId,
  wakeWaiting: () => Promise<void>,
): Promise<void> {
  const { overrides } = jar.limits;
  const name = limitNameOf(rowOf(row));
  // Another node may have changed the overrides.
  await overrides.load();
  const seen = overrides.list(name);
  await wakeWaiting();
  await settle(jar.store, item, async (tx) =>
    (await overrides.areStored(tx, name, seen)) ? undefined : jar.clock.now(),
  );
}
