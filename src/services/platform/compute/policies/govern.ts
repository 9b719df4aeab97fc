import { eq, type Reader, type Tx } from '../../../../kernel/store/index.ts';
import type { Json, JsonMembers } from '../../../../kernel/values/index.ts';
import { guardedObject } from '../../engine/find.ts';
import { objectKey, objects, type PlatformObject } from '../../engine/objects.ts';
import { errors } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';
import { workspaceIn } from '../../jar.ts';
import { requireLevel } from '../../permissions/guard.ts';
import { nodeType } from '../catalog.ts';
import { clusters, governedBy } from '../collections.ts';
import { computeErrors } from '../errors.ts';
import { type Applied, applyPolicy } from './apply.ts';
import { type Definition, readDefinition } from './definition.ts';
import { CLUSTER_POLICIES } from './kind.ts';
import { Patterns } from './matches.ts';

/** Applies policies to a cluster that is created, changed or started. */

const policyObject = async (reader: Reader, workspaceId: string, id: string): Promise<PlatformObject> => {
  const found = (await reader.get(objects, objectKey(workspaceId, CLUSTER_POLICIES.name, id), 'share'))?.value;
  if (found) return found;
  throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Can't find a cluster policy with id: ${id.slice(0, 200)}.` });
};

/** The rules of a policy. Returns undefined for a cluster without one. */
export async function definitionOf(
  reader: Reader,
  workspaceId: string,
  id: string | undefined,
): Promise<Definition | undefined> {
  if (id === undefined) return undefined;
  return readDefinition(String((await policyObject(reader, workspaceId, id)).fields.definition));
}

export type ClusterType = 'all-purpose' | 'job' | 'dlt';

/** The attributes as rules see them, including virtual ones. */
export const policyContext = (
  attributes: JsonMembers,
  type: ClusterType = 'all-purpose',
): Pick<Applied, 'attributes' | 'virtual'> => ({
  attributes,
  virtual: (given) => ({ cluster_type: type, dbus_per_hour: unitsPerHour(given) }),
});

/** Hourly cost of a cluster's nodes at its maximum size. */
function unitsPerHour({ num_workers, autoscale, node_type_id, driver_node_type_id }: JsonMembers): Json {
  const most =
    typeof autoscale === 'object' && autoscale !== null && 'max_workers' in autoscale && autoscale.max_workers;
  const workers = Number(num_workers ?? (most || 0));
  const worker = nodeType(String(node_type_id))?.dbu ?? 0;
  const driver = nodeType(String(driver_node_type_id ?? node_type_id))?.dbu ?? 0;
  return workers * worker + driver;
}

/** The attributes with the policy's additions. Throws if they violate the policy, or if the caller may not use it. */
export async function governed(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  attributes: JsonMembers,
  type: ClusterType,
): Promise<JsonMembers> {
  const { policy_id: id } = attributes;
  if (typeof id !== 'string' || id === '') return attributes;
  const policy = await policyObject(reader, workspaceIn(call).id, id);
  requireLevel(call, guardedObject('cluster-policies', policy), 'CAN_USE');
  const outcome = applyPolicy(readDefinition(String(policy.fields.definition)), {
    ...policyContext(attributes, type),
    defaults: attributes.apply_policy_default_values === true,
    patterns: new Patterns(),
  });
  if (outcome.violations.length === 0) return outcome.attributes;
  const reasons = outcome.violations.map(({ path, message }) => `Validation failed for ${path}, ${message}`);
  throw errors.INVALID_PARAMETER_VALUE({ reason: `Cluster validation error: ${reasons.join('; ')}` });
}

/**
 * Throws if the owner already has as many active clusters as the policy allows. Called by transactions that start a cluster, before they
 * write it.
 */
export async function checkMostPerUser(
  tx: Tx,
  workspaceId: string,
  policyId: string | undefined,
  owner: string,
): Promise<void> {
  if (policyId === undefined) return;
  // A deleted policy no longer limits its clusters: they keep running and can start again, but cannot be edited.
  const policy = (await tx.get(objects, objectKey(workspaceId, CLUSTER_POLICIES.name, policyId), 'share'))?.value;
  const most = policy?.fields.max_clusters_per_user;
  if (typeof most !== 'number') return;
  const scope = governedBy(workspaceId, policyId, owner);
  await tx.lock(`platform.governed-clusters:${scope}`);
  const count = await tx.count(clusters, { filter: eq('governed', scope) });
  if (count >= most) throw computeErrors.QUOTA_EXCEEDED__ClustersPerUser({ policy: policyId, most });
}
