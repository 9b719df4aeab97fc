import { eq, pagesOf } from '../../../../kernel/store/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { afterLimitChange } from '../../limits/limit-changed.ts';
import { roomRuns } from '../collections.ts';
import { SLOTS_CHANGED } from '../work.ts';
import { wakeNext } from './enter.ts';

/** A raised limit frees slots without the end of a task. */
export const slotsHaveChanged = workHandler(SLOTS_CHANGED, (item, jar: PlatformJar) =>
  afterLimitChange(item, jar, 'clean-room-tasks', async () => {
    const rooms = new Set<string>();
    const waiting = { filter: eq('queued', true), order: [{ field: 'createdAt' }] };
    for await (const page of pagesOf(jar.store, roomRuns, waiting)) for (const { value } of page) rooms.add(value.room);
    // Each task that starts wakes the next one.
    for (const room of rooms) await jar.store.transact((tx) => wakeNext(tx, jar, room));
  }),
);
