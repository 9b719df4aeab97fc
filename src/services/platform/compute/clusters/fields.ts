import { isList, isObject, type Json, type JsonMembers } from '../../../../kernel/values/index.ts';
import { type FieldRules, readFields } from '../../engine/fields.ts';
import { errors } from '../../errors.ts';

const text = { type: 'string', most: 1000 } as const;
const flag = { type: 'boolean' } as const;
const members = { type: 'object' } as const;

/** Far above all quotas; answers list every node. */
const MOST_WORKERS = 10_000;

const SECURITY_MODES = [
  'NONE',
  'SINGLE_USER',
  'USER_ISOLATION',
  'LEGACY_TABLE_ACL',
  'LEGACY_PASSTHROUGH',
  'LEGACY_SINGLE_USER',
  'LEGACY_SINGLE_USER_STANDARD',
  'DATA_SECURITY_MODE_AUTO',
  'DATA_SECURITY_MODE_STANDARD',
  'DATA_SECURITY_MODE_DEDICATED',
] as const;

/** Attributes of a cluster in requests. */
export const CLUSTER_FIELDS: FieldRules = {
  cluster_name: text,
  spark_version: { ...text, required: true },
  num_workers: { type: 'integer', most: MOST_WORKERS },
  autoscale: members,
  node_type_id: text,
  driver_node_type_id: text,
  instance_pool_id: text,
  driver_instance_pool_id: text,
  policy_id: text,
  apply_policy_default_values: flag,
  autotermination_minutes: { type: 'integer' },
  spark_conf: members,
  spark_env_vars: members,
  custom_tags: members,
  ssh_public_keys: { type: 'array', most: 10, items: { type: 'string', most: 10_000 } },
  init_scripts: { type: 'array', most: 100, items: members },
  cluster_log_conf: members,
  docker_image: members,
  data_security_mode: { type: 'string', words: SECURITY_MODES },
  single_user_name: text,
  runtime_engine: { type: 'string', words: ['STANDARD', 'PHOTON', 'NULL'] },
  enable_elastic_disk: flag,
  enable_local_disk_encryption: flag,
  aws_attributes: members,
  azure_attributes: members,
  gcp_attributes: members,
  workload_type: {
    type: 'object',
    members: { clients: { type: 'object', required: true, members: { jobs: flag, notebooks: flag } } },
  },
  clone_from: { type: 'object', members: { source_cluster_id: { ...text, required: true } } },
  kind: { type: 'string', words: ['CLASSIC_PREVIEW'] },
  is_single_node: flag,
  use_ml_runtime: flag,
  remote_disk_throughput: { type: 'integer' },
  total_initial_remote_disk_size: { type: 'integer' },
};

const SIZE_FIELDS: FieldRules = {
  min_workers: { type: 'integer', least: 0, most: MOST_WORKERS },
  max_workers: { type: 'integer', least: 1, most: MOST_WORKERS },
};

/** Maps of names to texts. */
const MAPS = ['spark_conf', 'spark_env_vars', 'custom_tags'] as const;
const MOST_TAGS = 45;
/** Maximum characters of all attributes together, since events store them too. */
const MOST_CHARACTERS = 256 * 1024;
const MOST_MINUTES = 10_000;
const LEAST_MINUTES = 10;

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });
const malformed = (reason: string) =>
  errors.MALFORMED_REQUEST({ reason: `Could not parse request object: ${reason}.` });

/**
 * Validates each attribute of the request individually. Rules that involve several attributes are checked after the policy has been
 * applied.
 */
export function readAttributes(sent: unknown): JsonMembers {
  const read = readFields(CLUSTER_FIELDS, sent);
  if (JSON.stringify(read).length > MOST_CHARACTERS)
    throw invalid(`The attributes of a cluster must have at most ${MOST_CHARACTERS} characters.`);
  for (const name of MAPS) checkMap(name, read[name]);
  if (isObject(read.custom_tags) && Object.keys(read.custom_tags).length > MOST_TAGS)
    throw invalid(`The field 'custom_tags' must have at most ${MOST_TAGS} tags.`);
  checkMinutes(read.autotermination_minutes);
  if (typeof read.num_workers === 'number' && read.num_workers < 0)
    throw invalid(`The number of workers must not be negative, but is ${read.num_workers}.`);
  return {
    ...read,
    ...(read.autoscale !== undefined && { autoscale: readAutoscale(read.autoscale) }),
    ...(read.docker_image !== undefined && { docker_image: readFields(IMAGE_FIELDS, read.docker_image) }),
  };
}

/** No image is pulled for a cluster, so the credentials for the registry are not stored. */
const IMAGE_FIELDS: FieldRules = { url: text };

export function readAutoscale(sent: Json | undefined): JsonMembers {
  const autoscale = readFields(SIZE_FIELDS, sent);
  const { min_workers, max_workers } = autoscale;
  if (Number(min_workers) > Number(max_workers))
    throw invalid(`The field 'autoscale.min_workers' (${min_workers}) must not exceed 'max_workers' (${max_workers}).`);
  return autoscale;
}

/** Throws unless all values of a map are texts. */
export function checkMap(name: string, map: Json | undefined): void {
  if (!isObject(map)) return;
  for (const [key, value] of Object.entries(map))
    if (typeof value !== 'string') throw malformed(`the field '${name}.${key.slice(0, 100)}' must be a string`);
}

function checkMinutes(minutes: Json | undefined): void {
  if (typeof minutes !== 'number' || minutes === 0) return;
  if (minutes < LEAST_MINUTES || minutes > MOST_MINUTES)
    throw invalid(
      `The field 'autotermination_minutes' must be 0 or from ${LEAST_MINUTES} to ${MOST_MINUTES}, not ${minutes}.`,
    );
}

/** `num_workers` or `autoscale`; a single-node cluster has no workers. */
export type ClusterSize = { readonly num_workers: number } | { readonly autoscale: JsonMembers };

export function sizeOf(attributes: JsonMembers): ClusterSize {
  const { num_workers, autoscale, is_single_node } = attributes;
  if (isObject(autoscale) && !isList(autoscale)) {
    if (num_workers !== undefined) throw invalid("Only one of the fields 'num_workers' and 'autoscale' can be given.");
    for (const field of ['min_workers', 'max_workers'])
      if (autoscale[field] === undefined)
        throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: `autoscale.${field}` });
    return { autoscale: autoscale as JsonMembers };
  }
  if (typeof num_workers === 'number') return { num_workers };
  if (is_single_node === true) return { num_workers: 0 };
  throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'size' });
}

/** Initial number of workers; an autoscaling cluster starts with its minimum. */
export const workersOf = (size: ClusterSize): number =>
  'num_workers' in size ? size.num_workers : Number(size.autoscale.min_workers);
