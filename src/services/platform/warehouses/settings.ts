import type { JsonMembers } from '../../../kernel/values/index.ts';
import { completeFields, type FieldRule, type FieldRules, readFields } from '../engine/fields.ts';
import { errors } from '../errors.ts';
import { WAREHOUSE_SIZES } from './sizes.ts';

/** The documentation states fewer than 45. */
const MOST_TAGS = 44;
const MOST_MIN_CLUSTERS = 30;
const LEAST_AUTO_STOP_MINUTES = 10;

/** The release channel of the engine. */
export const CHANNEL: FieldRules = {
  name: {
    type: 'string',
    words: [
      'CHANNEL_NAME_UNSPECIFIED',
      'CHANNEL_NAME_CURRENT',
      'CHANNEL_NAME_PREVIEW',
      'CHANNEL_NAME_PREVIOUS',
      'CHANNEL_NAME_CUSTOM',
    ],
  },
  dbsql_version: { type: 'string', most: 100 },
};

/** A key and its value, in tags and configurations. */
export const PAIR: FieldRule = {
  type: 'object',
  members: { key: { type: 'string', required: true }, value: { type: 'string', required: true } },
};

/** Settings of a warehouse in a request. */
const FIELDS: FieldRules = {
  name: { type: 'string', least: 1, most: 99 },
  cluster_size: { type: 'string', words: WAREHOUSE_SIZES, default: '2X-Small' },
  min_num_clusters: { type: 'integer', least: 1, most: MOST_MIN_CLUSTERS, default: 1 },
  max_num_clusters: { type: 'integer', least: 1, most: 40 },
  auto_stop_mins: { type: 'integer', least: 0, default: 120 },
  enable_photon: { type: 'boolean', default: true },
  enable_serverless_compute: { type: 'boolean', default: false },
  warehouse_type: { type: 'string', words: ['TYPE_UNSPECIFIED', 'CLASSIC', 'PRO', 'REALTIME', 'REYDEN'] },
  spot_instance_policy: {
    type: 'string',
    words: ['POLICY_UNSPECIFIED', 'COST_OPTIMIZED', 'RELIABILITY_OPTIMIZED'],
    default: 'COST_OPTIMIZED',
  },
  channel: { type: 'object', members: CHANNEL, default: { name: 'CHANNEL_NAME_CURRENT' } },
  tags: { type: 'object', members: { custom_tags: { type: 'array', most: MOST_TAGS, default: [], items: PAIR } } },
  instance_profile_arn: { type: 'string', most: 1000 },
  creator_name: { type: 'string', readOnly: true },
};

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

/** The settings of a request; in an edit, `before` supplies omitted ones. */
export function readSettings(sent: unknown, before: JsonMembers = {}): JsonMembers {
  const settings = completeFields(FIELDS, { ...before, ...readFields(FIELDS, sent) });
  const type = settings.warehouse_type;
  return checked({
    ...settings,
    warehouse_type: type === undefined || type === 'TYPE_UNSPECIFIED' ? 'CLASSIC' : type,
  });
}

/** Validates rules that involve several settings. */
function checked(settings: JsonMembers): JsonMembers {
  const {
    min_num_clusters: least,
    max_num_clusters: most = least,
    auto_stop_mins: minutes,
    warehouse_type: type,
  } = settings;
  if (Number(least) > Number(most))
    throw invalid(`The field 'min_num_clusters' (${least}) must not exceed 'max_num_clusters' (${most}).`);
  if (Number(minutes) > 0 && Number(minutes) < LEAST_AUTO_STOP_MINUTES)
    throw invalid(`The field 'auto_stop_mins' must be 0 or at least ${LEAST_AUTO_STOP_MINUTES}, not ${minutes}.`);
  if (settings.enable_serverless_compute === true && type !== 'PRO')
    throw invalid(`Serverless compute needs the warehouse_type PRO, not ${String(type)}.`);
  return settings;
}

/** A running warehouse restarts if one of these settings changes. */
const RESTARTING = [
  'cluster_size',
  'min_num_clusters',
  'max_num_clusters',
  'enable_photon',
  'enable_serverless_compute',
  'warehouse_type',
  'spot_instance_policy',
  'channel',
  'instance_profile_arn',
];

export const needsRestart = (before: JsonMembers, after: JsonMembers): boolean =>
  RESTARTING.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
