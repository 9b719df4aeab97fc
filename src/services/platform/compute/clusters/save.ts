import type { Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { type Cluster, clusterEvents, clusters, eventKey } from '../collections.ts';
import { keyOf } from './find.ts';

export type ClockJar = Pick<PlatformJar, 'clock'>;

export interface NewEvent {
  readonly type: string;
  readonly details?: JsonMembers;
}

/** Writes a cluster together with an event. */
export async function saveCluster(
  tx: Tx,
  { clock }: ClockJar,
  cluster: Cluster,
  ...events: readonly NewEvent[]
): Promise<Cluster> {
  const key = keyOf(cluster);
  const at = clock.now();
  for (const [index, { type, details = {} }] of events.entries())
    await tx.put(clusterEvents, eventKey(key, cluster.events + index), { cluster: key, at, type, details });
  const saved = { ...cluster, events: cluster.events + events.length };
  await tx.put(clusters, key, saved);
  return saved;
}

/** For the audit trail and the change feed. */
export const recordCluster = (tx: Tx, { clock }: ClockJar, kind: string, { workspaceId, id, state }: Cluster) =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${workspaceId}/clusters/${id}`,
    outcome: 'Succeeded',
    at: clock.now(),
    data: { kind: 'clusters', id, state },
  });
