import { pagesOf } from '../../../../kernel/store/index.ts';
import { handleWork } from '../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { afterLimitChange } from '../../limits/limit-changed.ts';
import { roomIsWanted } from '../collections.ts';
import { fillRoom, ROOM_CHANGED } from './work.ts';

/** A raised limit frees task slots although no task has ended. */
export const limitHasChanged = handleWork(ROOM_CHANGED, (item, jar: PlatformJar) =>
  afterLimitChange(item, jar, 'running-tasks', async () => {
    for await (const page of pagesOf(jar.store, roomIsWanted, {})) {
      for (const { key } of page) await jar.store.transact((tx) => tx.wake(fillRoom(key, jar.clock.now())));
    }
  }),
);
