import { shortId } from '../../../../kernel/ids/index.ts';
import { isObject, type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import type { Draft, ObjectKind } from '../../engine/kind.ts';
import type { PlatformObject } from '../../engine/objects.ts';
import { errors } from '../../errors.ts';
import { nodeType, sparkVersion } from '../catalog.ts';
import { checkMap } from '../clusters/fields.ts';
import { checkMayCreateCompute } from '../entitled.ts';
import { poolKey, poolReturns } from './collections.ts';

const MOST_TAGS = 45;
const MOST_INSTANCES = 10_000;

/** Pools of idle machines for clusters. */
export const INSTANCE_POOLS: ObjectKind = {
  name: 'instance-pools',
  title: 'Instance pool',
  scope: 'workspace',
  idField: 'instance_pool_id',
  newId: () => `pool-${shortId(12)}`,
  nameField: 'instance_pool_name',
  unique: 'scope',
  permissions: { type: 'instance-pools', read: 'CAN_ATTACH_TO', change: 'CAN_MANAGE', remove: 'CAN_MANAGE' },
  fields: {
    instance_pool_name: { type: 'string', required: true, least: 1, most: 100 },
    node_type_id: { type: 'string', required: true, fixed: true },
    min_idle_instances: { type: 'integer', least: 0, most: MOST_INSTANCES, default: 0 },
    max_capacity: { type: 'integer', least: 1, most: MOST_INSTANCES },
    idle_instance_autotermination_minutes: { type: 'integer', least: 0, most: 10_000, default: 60 },
    preloaded_spark_versions: { type: 'array', most: 1, items: { type: 'string' } },
    preloaded_docker_images: {
      type: 'array',
      most: 20,
      items: { type: 'object', members: { url: { type: 'string' } } },
    },
    custom_tags: { type: 'object' },
    enable_elastic_disk: { type: 'boolean', default: true, fixed: true },
    disk_spec: { type: 'object', fixed: true },
    aws_attributes: { type: 'object', fixed: true },
    azure_attributes: { type: 'object', fixed: true },
    gcp_attributes: { type: 'object', fixed: true },
    remote_disk_throughput: { type: 'integer' },
    total_initial_remote_disk_size: { type: 'integer' },
  },
  hooks: {
    check: async (tx, call, draft, before) => {
      if (!before) await checkMayCreateCompute(tx, call, 'instance pools', 'allow-instance-pool-create');
      return check(draft, before);
    },
    deleted: async (tx, _call, { scope, id }) => {
      await tx.delete(poolReturns, poolKey(scope, id));
    },
  },
};

/** An edit replaces all fields, except immutable ones that the request omits. */
function check({ fields }: Draft, before: PlatformObject | undefined): JsonMembers {
  const { node_type_id, min_idle_instances, max_capacity, preloaded_spark_versions: versions, custom_tags } = fields;
  const refuse = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });
  if (!nodeType(String(node_type_id)))
    throw refuse(`Node type ${String(node_type_id).slice(0, 200)} is not supported.`);
  if (typeof max_capacity === 'number' && Number(min_idle_instances) > max_capacity)
    throw refuse(
      `The field 'min_idle_instances' (${min_idle_instances}) must not exceed 'max_capacity' (${max_capacity}).`,
    );
  if (isObject(custom_tags) && Object.keys(custom_tags).length > MOST_TAGS)
    throw refuse(`The field 'custom_tags' must have at most ${MOST_TAGS} tags.`);
  checkMap('custom_tags', custom_tags);
  for (const version of Array.isArray(versions) ? versions : [])
    if (!sparkVersion(String(version)))
      throw refuse(`Spark version ${String(version).slice(0, 200)} is not supported.`);
  if (!before) return {};
  const kept = Object.entries(INSTANCE_POOLS.fields).filter(([, { fixed }]) => fixed);
  return omitAbsent(Object.fromEntries(kept.map(([name]) => [name, before.fields[name]])));
}
