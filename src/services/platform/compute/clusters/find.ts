import type { Reader, Tx } from '../../../../kernel/store/index.ts';
import { type PlatformCall, workspaceIn } from '../../jar.ts';
import type { AclEntry } from '../../permissions/acl.ts';
import { type Guarded, requireLevel } from '../../permissions/guard.ts';
import { type Cluster, clusterKey, clusters } from '../collections.ts';
import { computeErrors } from '../errors.ts';

export type ClusterLevel = 'CAN_ATTACH_TO' | 'CAN_RESTART' | 'CAN_MANAGE';

export const guardedCluster = ({ id, acl }: Cluster): Guarded => ({ type: 'clusters', id, acl });

export const keyOf = ({ workspaceId, id }: Pick<Cluster, 'workspaceId' | 'id'>): string => clusterKey(workspaceId, id);

/** Finds a cluster. Throws unless the caller has this permission level on it. */
export async function findCluster(
  call: Pick<PlatformCall, 'jar' | 'facts'>,
  id: string,
  level: ClusterLevel,
  reader: Reader = call.jar.store,
): Promise<Cluster> {
  const found = (await reader.get(clusters, clusterKey(workspaceIn(call).id, id)))?.value;
  if (!found) throw computeErrors.INVALID_PARAMETER_VALUE__NoCluster({ id: id.slice(0, 200) });
  requireLevel(call, guardedCluster(found), level);
  return found;
}

/** For the permissions API. */
export const GUARDED_CLUSTERS = {
  async find(reader: Reader, workspaceId: string, id: string): Promise<Guarded | undefined> {
    const found = (await reader.get(clusters, clusterKey(workspaceId, id)))?.value;
    return found && guardedCluster(found);
  },
  async save(tx: Tx, workspaceId: string, id: string, acl: readonly AclEntry[]): Promise<void> {
    const key = clusterKey(workspaceId, id);
    const found = (await tx.get(clusters, key))?.value;
    if (found) await tx.put(clusters, key, { ...found, acl });
  },
};
