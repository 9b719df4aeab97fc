import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { nodeType } from '../catalog.ts';
import type { Cluster } from '../collections.ts';

type Sized = Pick<Cluster, 'attributes' | 'workers'>;

/** Cores of this many workers and the driver. */
const coresOf = ({ attributes }: Pick<Cluster, 'attributes'>, workers: number): number => {
  const worker = nodeType(String(attributes.node_type_id))?.cores ?? 0;
  const driver = nodeType(String(attributes.driver_node_type_id))?.cores ?? 0;
  return worker * workers + driver;
};

/** Details of a size event: the current size and the target size. */
export const sizeDetails = (cluster: Sized, current = cluster.workers): JsonMembers => ({
  current_num_workers: current,
  target_num_workers: cluster.workers,
  current_num_vcpus: coresOf(cluster, current),
  target_num_vcpus: coresOf(cluster, cluster.workers),
});
