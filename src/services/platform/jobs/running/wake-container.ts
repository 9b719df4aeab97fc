import { eq } from '../../../../kernel/store/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { taskRuns } from '../collections.ts';
import { syncTask } from './work.ts';

/** Schedules a check of a task after an event of its container. */
export async function wakeContainer(jar: PlatformJar, uid: string): Promise<void> {
  if (jar.closing.aborted) return;
  try {
    const [found] = (await jar.store.query(taskRuns, { filter: eq('uid', uid), limit: 1 })).items;
    if (found) await jar.store.transact((tx) => tx.wake(syncTask(found.key, jar.clock.now())));
  } catch (error) {
    if (!jar.closing.aborted) jar.log.warn({ err: error }, 'a task whose container has changed could not be checked');
  }
}
