import { createHash } from 'node:crypto';
import { MINUTE_MS } from '../../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import type { ViewContext } from '../../engine/kind.ts';
import { nodeType } from '../catalog.ts';
import type { Cluster } from '../collections.ts';
import { keyOf } from './find.ts';
import { reasonView } from './transitions.ts';

const JDBC_PORT = 10_000;
const VENDOR = 'Databricks';
const LOG_DELIVERY_MS = 5 * MINUTE_MS;

export interface ClusterViewOptions {
  /** Whether to list every node; lists of clusters omit them. */
  readonly nodes: boolean;
  readonly now: number;
}

/** A cluster on the wire. */
export function clusterView(
  cluster: Cluster,
  { nameOf }: ViewContext,
  { nodes, now }: ClusterViewOptions,
): JsonMembers {
  const { id, name, owner, source, attributes, spec, state, stateMessage, workers, terminationReason } = cluster;
  const creator = nameOf(owner);
  const hasMachines = state === 'RUNNING' || state === 'RESIZING';
  const isEnding = state === 'TERMINATING' || state === 'TERMINATED';
  return omitAbsent({
    cluster_id: id,
    creator_user_name: creator,
    cluster_source: source,
    ...attributes,
    cluster_name: name,
    num_workers: workers,
    spec,
    state,
    state_message: stateMessage,
    start_time: cluster.startedAt,
    terminated_time: cluster.terminatedAt,
    last_state_loss_time: cluster.lastStateLossAt ?? 0,
    last_restarted_time: cluster.lastRestartedAt,
    last_activity_time: cluster.lastActivityAt,
    termination_reason: isEnding && terminationReason ? reasonView(terminationReason) : undefined,
    default_tags: { Vendor: VENDOR, Creator: creator, ClusterName: name, ClusterId: id },
    spark_context_id: hasMachines ? cluster.contextId : undefined,
    jdbc_port: hasMachines ? JDBC_PORT : undefined,
    cluster_cores: hasMachines ? total(cluster, 'cores') : undefined,
    cluster_memory_mb: hasMachines ? total(cluster, 'memoryMb') : undefined,
    cluster_log_status: attributes.cluster_log_conf === undefined ? undefined : logStatus(cluster, now),
    ...(nodes && hasMachines && machines(cluster)),
  });
}

/** Logs are delivered every five minutes while the cluster is up, and once more at its end. Nothing is written, so no delivery fails. */
function logStatus({ startedAt, terminatedAt }: Cluster, now: number): JsonMembers {
  const deliveries = Math.floor((now - startedAt) / LOG_DELIVERY_MS);
  return { last_attempted: terminatedAt ?? startedAt + deliveries * LOG_DELIVERY_MS };
}

function total({ attributes, workers }: Cluster, of: 'cores' | 'memoryMb'): number {
  const worker = nodeType(String(attributes.node_type_id))?.[of] ?? 0;
  const driver = nodeType(String(attributes.driver_node_type_id))?.[of] ?? 0;
  return worker * workers + driver;
}

/** The nodes are stable until the next start. */
const machines = (cluster: Cluster): JsonMembers => ({
  driver: machine(cluster, 0),
  executors: Array.from({ length: cluster.workers }, (_, index) => machine(cluster, index + 1)),
});

function machine(cluster: Cluster, number: number): JsonMembers {
  const hex = createHash('sha256')
    .update(`${keyOf(cluster)}/${cluster.contextId}/${number}`)
    .digest('hex');
  const address = `10.139.${(number >> 8) & 255}.${number & 255}`;
  return {
    node_id: hex.slice(0, 32),
    instance_id: hex.slice(32, 64),
    private_ip: address,
    host_private_ip: address,
    public_dns: '',
    start_timestamp: cluster.startedAt,
  };
}
