import { pagesOf } from '../../../../kernel/store/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { afterLimitChange } from '../../limits/limit-changed.ts';
import { slotsWanted } from '../collections.ts';
import { fillSlots, SLOT_LIMIT_CHANGED } from './work.ts';

/** A raised limit frees task slots although no task has ended. */
export const slotLimitChanged = workHandler(SLOT_LIMIT_CHANGED, (item, jar: PlatformJar) =>
  afterLimitChange(item, jar, 'running-tasks', async () => {
    for await (const page of pagesOf(jar.store, slotsWanted, {})) {
      for (const { key } of page) await jar.store.transact((tx) => tx.wake(fillSlots(key, jar.clock.now())));
    }
  }),
);
