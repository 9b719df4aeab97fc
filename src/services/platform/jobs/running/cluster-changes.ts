import { eq, pagesOf, type Tx } from '../../../../kernel/store/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { taskRuns } from '../collections.ts';
import { taskDue } from './work.ts';

/**
 * Called in a transaction that changes the state of a cluster: schedules a check of the tasks that wait for the cluster or run on it. `key`
 * is that of the cluster.
 */
export async function wakeTasksOfCluster(tx: Tx, { clock }: Pick<PlatformJar, 'clock'>, key: string): Promise<void> {
  const now = clock.now();
  for await (const page of pagesOf(tx, taskRuns, { filter: eq('cluster', key) }))
    for (const task of page) await tx.wake(taskDue(task.key, now));
}
