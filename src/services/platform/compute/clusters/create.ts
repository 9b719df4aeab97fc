import { shortId } from '../../../../kernel/ids/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { isObject, type JsonMembers } from '../../../../kernel/values/index.ts';
import { nameOf } from '../../access/standing.ts';
import { accountIn, callerIdentity, type PlatformCall, workspaceIn } from '../../jar.ts';
import { creatorAcl } from '../../permissions/guard.ts';
import { type Cluster, type ClusterSource, policyOf } from '../collections.ts';
import { checkMayCreateCompute } from '../entitled.ts';
import { installLibraries, librariesOf } from '../libraries/install.ts';
import { readLibraries } from '../libraries/read.ts';
import { checkMostPerUser } from '../policies/govern.ts';
import { policyLibraries } from '../policies/libraries.ts';
import { readAttributes, sizeOf, workersOf } from './fields.ts';
import { findCluster } from './find.ts';
import { resolveAttributes } from './resolve.ts';
import { recordCluster, saveCluster } from './save.ts';
import { beginLife, type ComputeJar, newContextId, STARTING } from './transitions.ts';

/**
 * For example `0118-224109-k3vq8x2m`: month and day, time of creation, and a random part that distinguishes clusters created in the same
 * second.
 */
export function newClusterId(now: number): string {
  const iso = new Date(now).toISOString();
  return `${iso.slice(5, 7)}${iso.slice(8, 10)}-${iso.slice(11, 19).replaceAll(':', '')}-${shortId(8)}`;
}

/** Creates a cluster from a request and starts it. */
export function createCluster(call: PlatformCall): Promise<Cluster> {
  const spec = readAttributes(call.body ?? {});
  return call.jar.store.transact(async (tx) => {
    // A permission on the policy entitles to create clusters with it.
    if (typeof spec.policy_id !== 'string') await checkMayCreateCompute(tx, call, 'clusters');
    return makeCluster(tx, call.jar, call, spec);
  });
}

/** In a transaction: creates a cluster for the caller. Runs of jobs use the source `JOB`, which also affects the policy. */
export async function makeCluster(
  tx: Tx,
  jar: ComputeJar,
  call: Pick<PlatformCall, 'facts' | 'jar'>,
  spec: JsonMembers,
  source: ClusterSource = 'API',
): Promise<Cluster> {
  const attributes = await resolveAttributes(tx, call, spec, source === 'JOB' ? 'job' : 'all-purpose');
  const workspace = workspaceIn(call);
  const { principal } = callerIdentity(call);
  await checkMostPerUser(tx, workspace.id, policyOf({ attributes }), principal.id);
  const now = jar.clock.now();
  const id = newClusterId(now);
  const size = sizeOf(attributes);
  const cluster = await saveCluster(
    tx,
    jar,
    {
      id,
      workspaceId: workspace.id,
      accountId: accountIn(call).id,
      name: String(attributes.cluster_name ?? ''),
      owner: principal.id,
      source,
      acl: creatorAcl(call, 'clusters'),
      attributes,
      spec,
      state: 'PENDING',
      stateMessage: STARTING,
      workers: workersOf(size),
      createdAt: now,
      startedAt: now,
      contextId: newContextId(),
      lastActivityAt: now,
      busy: 0,
      events: 0,
    },
    { type: 'CREATING', details: { cluster_size: { ...size }, user: nameOf(principal) } },
  );
  await beginLife(tx, jar, cluster);
  await addLibraries(tx, jar, call, cluster);
  await recordCluster(tx, jar, 'create', cluster);
  return cluster;
}

/** Adds the libraries of the policy, and of the cluster that this one is a clone of. */
async function addLibraries(
  tx: Tx,
  jar: ComputeJar,
  call: Pick<PlatformCall, 'facts' | 'jar'>,
  cluster: Cluster,
): Promise<void> {
  const wanted = [...(await policyLibraries(tx, cluster.workspaceId, policyOf(cluster)))];
  const { clone_from: clone } = cluster.spec;
  if (isObject(clone) && clone.source_cluster_id !== undefined) {
    const source = await findCluster(call, String(clone.source_cluster_id), 'CAN_ATTACH_TO', tx);
    const held = await librariesOf(tx, source);
    wanted.push(
      ...held.libraries.filter(({ status }) => status !== 'UNINSTALL_ON_RESTART').map((each) => each.library),
    );
  }
  if (wanted.length > 0) await installLibraries(tx, jar, cluster, readLibraries(wanted));
}
