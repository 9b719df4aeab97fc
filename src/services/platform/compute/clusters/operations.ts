import { ok } from '../../../../kernel/http/index.ts';
import { allOf, eq, type Tx } from '../../../../kernel/store/index.ts';
import { nameOf } from '../../access/standing.ts';
import { principalPlace, principals } from '../../accounts/collections.ts';
import { namesOf } from '../../engine/names.ts';
import { errors } from '../../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, routeCode, workspaceIn } from '../../jar.ts';
import { wakeTasksOfCluster } from '../../jobs/running/cluster-changes.ts';
import type { Operation } from '../../operation.ts';
import { NODE_TYPES, nodeTypeView, SPARK_VERSIONS, ZONES } from '../catalog.ts';
import { type Cluster, clusters } from '../collections.ts';
import { dropContexts } from '../contexts/drop.ts';
import { computeErrors } from '../errors.ts';
import { governed } from '../policies/govern.ts';
import { returnToPool } from '../pools/returns.ts';
import { MOST_PINNED } from '../timing.ts';
import { createCluster } from './create.ts';
import { editCluster, updateCluster } from './edit.ts';
import { listEvents } from './events.ts';
import { readAttributes, readAutoscale, sizeOf } from './fields.ts';
import { type ClusterLevel, findCluster, keyOf } from './find.ts';
import { listClusters } from './list.ts';
import { clusterIdIn, queryText, readRequest } from './request.ts';
import { recordCluster, saveCluster } from './save.ts';
import { removeCluster, unpinned } from './steps.ts';
import { byUser, resizeCluster, restartCluster, startCluster, terminateCluster } from './transitions.ts';
import { clusterView } from './view.ts';

const VERSIONS = ['2.1', '2.0'];

const userIn = (call: PlatformCall): string => nameOf(callerIdentity(call).principal);

/** A row whose body names a cluster, and whose answer is empty. */
const action = (
  verb: string,
  summary: string,
  level: ClusterLevel,
  act: (tx: Tx, call: PlatformCall, cluster: Cluster) => Promise<unknown>,
  needs?: Operation['needs'],
): Operation => ({
  method: 'POST',
  path: `/clusters/${verb}`,
  versions: VERSIONS,
  operation: `clusters_${verb.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
  summary,
  ...(needs && { needs }),
  code: routeCode([], {
    async handle(call) {
      const id = clusterIdIn(call);
      await call.jar.store.transact(async (tx) => act(tx, call, await findCluster(call, id, level, tx)));
      return ok({});
    },
  }),
});

const row = (
  method: 'GET' | 'POST',
  verb: string,
  summary: string,
  answer: (call: PlatformCall) => Promise<unknown>,
): Operation => ({
  method,
  path: `/clusters/${verb}`,
  versions: VERSIONS,
  operation: `clusters_${verb.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
  summary,
  code: routeCode([], { handle: async (call) => ok(await answer(call)) }),
});

async function pin(tx: Tx, call: PlatformCall, cluster: Cluster): Promise<void> {
  if (cluster.pinnedAt !== undefined) return;
  const { id } = workspaceIn(call);
  await tx.lock(`platform.pinned-clusters:${id}`);
  const count = await tx.count(clusters, { filter: allOf(eq('workspace', id), eq('unpinned', 0)) });
  if (count >= MOST_PINNED) throw computeErrors.QUOTA_EXCEEDED__Pinned({ most: MOST_PINNED });
  const event = { type: 'PINNED', details: { user: userIn(call) } };
  const pinned = await saveCluster(tx, call.jar, { ...cluster, pinnedAt: call.jar.clock.now() }, event);
  await recordCluster(tx, call.jar, 'pin', pinned);
}

async function unpin(tx: Tx, call: PlatformCall, { pinnedAt, ...cluster }: Cluster): Promise<void> {
  if (pinnedAt === undefined) return;
  const saved = await saveCluster(tx, call.jar, cluster, { type: 'UNPINNED', details: { user: userIn(call) } });
  await unpinned(tx, call.jar, saved);
  await recordCluster(tx, call.jar, 'unpin', saved);
}

/** States in which a cluster has machines, which must be returned to its pool. */
const MACHINE_STATES: ReadonlySet<Cluster['state']> = new Set(['RUNNING', 'RESIZING', 'RESTARTING', 'TERMINATING']);

async function permanentlyDelete(tx: Tx, { jar }: PlatformCall, cluster: Cluster): Promise<void> {
  if (cluster.pinnedAt !== undefined) throw computeErrors.INVALID_STATE__Pinned({ id: cluster.id });
  await dropContexts(tx, jar, cluster);
  if (MACHINE_STATES.has(cluster.state)) await returnToPool(tx, jar, cluster, cluster.workers, 1);
  await removeCluster(tx, jar, cluster);
  await wakeTasksOfCluster(tx, jar, keyOf(cluster));
}

/** The cluster's policy also limits its size. */
async function resize(tx: Tx, call: PlatformCall, cluster: Cluster): Promise<void> {
  const { num_workers, autoscale } = readAttributes(call.body);
  const size = sizeOf({
    ...(num_workers !== undefined && { num_workers }),
    ...(autoscale !== undefined && { autoscale: readAutoscale(autoscale) }),
  });
  const { num_workers: _workers, autoscale: _scale, ...attributes } = cluster.attributes;
  await governed(tx, call, { ...attributes, ...size }, 'all-purpose');
  await resizeCluster(tx, call.jar, cluster, size, userIn(call));
}

/** The new owner manages the cluster like the previous owner. */
async function changeOwner(tx: Tx, call: PlatformCall, cluster: Cluster): Promise<void> {
  const { owner_username: name } = readRequest(call, { owner_username: { type: 'string', required: true } });
  if (cluster.state !== 'TERMINATED')
    throw computeErrors.INVALID_STATE__NotTerminated({ id: cluster.id, state: cluster.state });
  const { id: accountId } = accountIn(call);
  const login = eq('login', String(name).toLowerCase());
  const places = (['user', 'servicePrincipal'] as const).map((kind) => principalPlace(accountId, kind));
  const filter = allOf({ op: 'in', field: 'place', values: places }, login);
  const owner = (await tx.query(principals, { filter, limit: 1 })).items[0]?.value;
  if (!owner) throw errors.INVALID_PARAMETER_VALUE({ reason: `User ${String(name).slice(0, 200)} does not exist.` });
  const others = cluster.acl.filter(({ principal }) => principal !== owner.id && principal !== cluster.owner);
  const acl = [...others, { kind: owner.kind, principal: owner.id, level: 'CAN_MANAGE' }];
  const changed = await saveCluster(tx, call.jar, { ...cluster, owner: owner.id, acl });
  await recordCluster(tx, call.jar, 'change-owner', changed);
}

async function getCluster(call: PlatformCall): Promise<object> {
  const cluster = await findCluster(call, queryText(call, 'cluster_id'), 'CAN_ATTACH_TO');
  const names = await namesOf(call.jar.store, cluster.accountId, [cluster.owner]);
  return clusterView(cluster, names, { nodes: true, now: call.jar.clock.now() });
}

export const CLUSTER_OPERATIONS: readonly Operation[] = [
  row('POST', 'create', 'Creates and starts a cluster', async (call) => ({
    cluster_id: (await createCluster(call)).id,
  })),
  row('POST', 'edit', 'Replaces the attributes of a cluster', async (call) => {
    await editCluster(call);
    return {};
  }),
  row('POST', 'update', 'Changes some attributes of a cluster', async (call) => {
    await updateCluster(call);
    return {};
  }),
  action('start', 'Starts a terminated cluster', 'CAN_RESTART', (tx, call, cluster) =>
    startCluster(tx, call.jar, cluster, userIn(call)),
  ),
  action('restart', 'Restarts a running cluster', 'CAN_RESTART', (tx, call, cluster) => {
    readRequest(call, { restart_user: { type: 'string' } });
    return restartCluster(tx, call.jar, cluster, userIn(call));
  }),
  action('delete', 'Terminates a cluster', 'CAN_RESTART', (tx, call, cluster) =>
    terminateCluster(tx, call.jar, cluster, byUser(userIn(call))),
  ),
  action('permanent-delete', 'Deletes a cluster permanently', 'CAN_MANAGE', permanentlyDelete),
  action('resize', 'Resizes a running cluster', 'CAN_MANAGE', resize),
  action('pin', 'Pins a cluster, so that it stays in lists', 'CAN_MANAGE', pin, 'admin'),
  action('unpin', 'Ends a pin', 'CAN_MANAGE', unpin, 'admin'),
  action('change-owner', 'Changes the owner of a terminated cluster', 'CAN_MANAGE', changeOwner, 'admin'),
  row('GET', 'get', 'Reads a cluster', getCluster),
  row('GET', 'list', 'Lists clusters', listClusters),
  row('POST', 'events', 'Lists the events of a cluster', listEvents),
  row('GET', 'spark-versions', 'Lists runtimes', async () => ({ versions: SPARK_VERSIONS })),
  row('GET', 'list-node-types', 'Lists node types', async () => ({ node_types: NODE_TYPES.map(nodeTypeView) })),
  row('GET', 'list-zones', 'Lists zones', async () => ({ default_zone: ZONES[0], zones: ZONES })),
];
