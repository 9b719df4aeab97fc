import { limitOverrides } from '../../../../kernel/limits/index.ts';
import { pagesOf } from '../../../../kernel/store/index.ts';
import { workspaces } from '../../accounts/collections.ts';
import type { PlatformJar } from '../../jar.ts';
import { somebodyWaits } from './room.ts';
import { fillRoom } from './work.ts';

/** Starts waiting tasks and runs when a limit was changed: more of them may run at once now. Gives a function that ends it. */
export const watchRoom = (jar: PlatformJar): (() => void) =>
  jar.store.onCommit(({ collections }) => {
    if (!collections.includes(limitOverrides.name)) return;
    wakeWaiting(jar).catch((error) => {
      if (!jar.closing.aborted) jar.log.warn({ err: error }, 'tasks that wait for room could not be woken');
    });
  });

async function wakeWaiting(jar: PlatformJar): Promise<void> {
  // The change is to be in force before anybody asks for room.
  await jar.limits.overrides.load();
  for await (const page of pagesOf(jar.store, workspaces, {})) {
    for (const { value } of page) {
      if (jar.closing.aborted) return;
      await jar.store.transact(async (tx) => {
        if (await somebodyWaits(tx, value.id)) await tx.wake(fillRoom(value.id, jar.clock.now()));
      });
    }
  }
}
