import { pagesOf } from '../../../../kernel/store/index.ts';
import { handleWork, settle } from '../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { roomIsWanted } from '../collections.ts';
import { fillRoom, ROOM_CHANGED } from './work.ts';

/** A limit that was raised makes room without the end of a task. */
export const limitHasChanged = handleWork(ROOM_CHANGED, async (item, jar: PlatformJar) => {
  // Another node may have changed it.
  await jar.limits.overrides.load();
  for await (const page of pagesOf(jar.store, roomIsWanted, {})) {
    for (const { key } of page) await jar.store.transact((tx) => tx.wake(fillRoom(key, jar.clock.now())));
  }
  await settle(jar.store, item, async () => undefined);
});
