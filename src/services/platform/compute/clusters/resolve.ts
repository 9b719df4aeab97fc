import type { Reader } from '../../../../kernel/store/index.ts';
import { isObject, type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import { nameOf } from '../../access/standing.ts';
import { guardedObject } from '../../engine/find.ts';
import { objectKey, objects, type PlatformObject } from '../../engine/objects.ts';
import { errors } from '../../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../../jar.ts';
import { requireLevel } from '../../permissions/guard.ts';
import { nodeType, sparkVersion } from '../catalog.ts';
import { type ClusterType, governed } from '../policies/govern.ts';
import { INSTANCE_POOLS } from '../pools/kind.ts';
import { readAutoscale, sizeOf } from './fields.ts';

/** Derives the attributes of a cluster from the requested ones: policy, pool, defaults, and rules that involve several attributes. */

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

export async function resolveAttributes(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  spec: JsonMembers,
  type: ClusterType = 'all-purpose',
): Promise<JsonMembers> {
  const asked = await governed(reader, call, spec, type);
  const { apply_policy_default_values: _defaults, clone_from: _clone, ...attributes } = asked;
  if (isObject(attributes.autoscale)) readAutoscale(attributes.autoscale as JsonMembers);
  const size = sizeOf(attributes);
  const nodes = await nodesOf(reader, call, attributes);
  const { data_security_mode: mode, single_user_name: user } = attributes;
  const isSingleUser = mode === 'SINGLE_USER' || mode === 'LEGACY_SINGLE_USER';
  return omitAbsent({
    ...attributes,
    ...size,
    ...nodes,
    spark_version: versionOf(attributes),
    autotermination_minutes: attributes.autotermination_minutes ?? 0,
    enable_elastic_disk: attributes.enable_elastic_disk ?? false,
    single_user_name: user ?? (isSingleUser ? nameOf(callerIdentity(call).principal) : undefined),
  });
}

function versionOf({ spark_version: asked }: JsonMembers): string {
  if (typeof asked !== 'string' || asked === '')
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'spark_version' });
  const version = sparkVersion(asked);
  if (version === undefined) throw invalid(`Invalid spark version ${asked.slice(0, 200)}.`);
  return version;
}

/** The node types: named in the request, or those of the pools. */
async function nodesOf(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  attributes: JsonMembers,
): Promise<JsonMembers> {
  const { instance_pool_id: poolId, driver_instance_pool_id: driverPoolId } = attributes;
  const pool = await poolObject(reader, call, poolId);
  const driverPool = (await poolObject(reader, call, driverPoolId)) ?? pool;
  if (pool && attributes.node_type_id !== undefined && attributes.node_type_id !== pool.fields.node_type_id)
    throw invalid("The field 'node_type_id' cannot be given together with 'instance_pool_id'.");
  const node = pool?.fields.node_type_id ?? attributes.node_type_id;
  if (typeof node !== 'string' || node === '')
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'node_type_id' });
  const driver = driverPool?.fields.node_type_id ?? attributes.driver_node_type_id ?? node;
  for (const id of [node, String(driver)])
    if (!nodeType(id)) throw invalid(`Node type ${id.slice(0, 200)} is not supported.`);
  return {
    node_type_id: node,
    driver_node_type_id: driver,
    ...(pool && { driver_instance_pool_id: driverPoolId ?? poolId }),
  };
}

async function poolObject(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  id: JsonMembers[string],
): Promise<PlatformObject | undefined> {
  if (typeof id !== 'string' || id === '') return undefined;
  const pool = (await reader.get(objects, objectKey(workspaceIn(call).id, INSTANCE_POOLS.name, id), 'share'))?.value;
  if (!pool) throw invalid(`Can't find an instance pool with id: ${id.slice(0, 200)}.`);
  requireLevel(call, guardedObject('instance-pools', pool), 'CAN_ATTACH_TO');
  return pool;
}
