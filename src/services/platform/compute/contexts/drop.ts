import { readAll, type Tx } from '../../../../kernel/store/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { freeCount } from '../../limits/take.ts';
import { type Cluster, clusterKey, contextKey, contexts, type ExecutionContext } from '../collections.ts';
import { RUN_COMMANDS, SWEEP_CLUSTER, workId } from '../work.ts';
import { syncContextSoon } from './containers/sync.ts';

type DropJar = Pick<PlatformJar, 'clock' | 'limits'>;

/** In a transaction: removes the context; due work removes its commands. The caller frees its quota. */
async function remove(tx: Tx, jar: DropJar, context: ExecutionContext): Promise<void> {
  const key = contextKey(context.workspaceId, context.clusterId, context.id);
  await tx.delete(contexts, key);
  await tx.cancel(workId(RUN_COMMANDS, key));
  if (context.status !== undefined) await syncContextSoon(tx, jar, key);
  await tx.schedule(SWEEP_CLUSTER.at(jar.clock.now(), { key, of: 'context' }, workId(SWEEP_CLUSTER, key)));
}

export async function dropContext(tx: Tx, jar: DropJar, context: ExecutionContext): Promise<void> {
  await remove(tx, jar, context);
  const { workspaceId, clusterId } = context;
  await freeCount(tx, jar, { row: 'cluster-contexts', scope: [workspaceId, clusterId] });
}

/** In the transaction that restarts or terminates a cluster: ends its contexts. */
export async function dropContexts(tx: Tx, jar: DropJar, { workspaceId, id }: Cluster): Promise<void> {
  const open = await readAll(tx, contexts, { prefix: `${clusterKey(workspaceId, id)}/` });
  for (const { value } of open) await remove(tx, jar, value);
  await freeCount(tx, jar, { row: 'cluster-contexts', scope: [workspaceId, id], count: open.length });
}
