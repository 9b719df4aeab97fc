import type { JsonMembers } from '../../../kernel/values/index.ts';
import { checkCron, cronFields } from '../engine/cron.ts';
import { completeFields, type FieldRules, readFields } from '../engine/fields.ts';
import { membersOf, textOf } from '../engine/json.ts';
import { errors } from '../errors.ts';

/** What a monitor of a table looks at, in the words of both APIs. */

const name = { type: 'string', required: true, least: 1, most: 255 } as const;
const names = (most: number) => ({ type: 'array', most, items: { type: 'string', most: 1000 } }) as const;

const PREFIXES = ['', 'CUSTOM_METRIC_TYPE_', 'DATA_PROFILING_CUSTOM_METRIC_TYPE_'];
const METRIC_TYPES = PREFIXES.flatMap((prefix) => ['AGGREGATE', 'DERIVED', 'DRIFT'].map((type) => `${prefix}${type}`));
const PROBLEM_TYPES = ['', 'PROBLEM_TYPE_', 'INFERENCE_PROBLEM_TYPE_'].flatMap((prefix) =>
  ['CLASSIFICATION', 'REGRESSION'].map((type) => `${prefix}${type}`),
);

const granularities = { ...names(20), required: true, least: 1 } as const;

const PROFILES: FieldRules = {
  snapshot: { type: 'object', members: {} },
  time_series: { type: 'object', members: { timestamp_col: name, granularities } },
  inference_log: {
    type: 'object',
    members: {
      problem_type: { type: 'string', required: true, words: PROBLEM_TYPES },
      timestamp_col: name,
      granularities,
      prediction_col: name,
      model_id_col: name,
      label_col: { type: 'string', most: 255 },
      prediction_proba_col: { type: 'string', most: 255 },
    },
  },
};

/** A monitor has exactly one of them. */
export const PROFILE_NAMES: readonly string[] = Object.keys(PROFILES);

export const CONFIG_FIELDS: FieldRules = {
  ...PROFILES,
  assets_dir: { type: 'string', most: 1000 },
  baseline_table_name: { type: 'string', most: 1000 },
  slicing_exprs: names(100),
  custom_metrics: {
    type: 'array',
    most: 100,
    items: {
      type: 'object',
      members: {
        type: { type: 'string', required: true, words: METRIC_TYPES },
        name,
        input_columns: { ...names(100), required: true },
        definition: { type: 'string', required: true, most: 10_000 },
        output_data_type: { type: 'string', required: true, most: 10_000 },
      },
    },
  },
  schedule: {
    type: 'object',
    members: {
      ...cronFields('quartz_cron_expression'),
      pause_status: { type: 'string', words: ['PAUSED', 'UNPAUSED', 'UNSPECIFIED'], default: 'UNPAUSED' },
    },
  },
  notifications: { type: 'object' },
  data_classification_config: { type: 'object' },
  skip_builtin_dashboard: { type: 'boolean' },
  warehouse_id: { type: 'string', most: 100 },
};

/** The columns that a configuration names. */
export function columnsIn(config: JsonMembers): readonly string[] {
  const named = PROFILE_NAMES.flatMap((profile) =>
    Object.entries(membersOf(config[profile])).filter(([field]) => field.endsWith('_col')),
  );
  return named.flatMap(([, value]) => textOf(value) ?? []);
}

export function readConfig(sent: unknown, at = ''): JsonMembers {
  const config = completeFields(CONFIG_FIELDS, readFields(CONFIG_FIELDS, sent, at), at);
  const said = PROFILE_NAMES.filter((profile) => config[profile] !== undefined);
  if (said.length !== 1)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `A monitor has exactly one of ${PROFILE_NAMES.join(', ')}; ${said.length === 0 ? 'none was said' : `${said.join(' and ')} were said`}.`,
    });
  const { quartz_cron_expression: expression, timezone_id: zone } = membersOf(config.schedule);
  if (config.schedule !== undefined)
    checkCron(`${at}schedule.quartz_cron_expression`, textOf(expression) ?? '', textOf(zone) ?? '');
  return config;
}
