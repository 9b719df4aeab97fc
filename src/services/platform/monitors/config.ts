import type { JsonMembers } from '../../../kernel/values/index.ts';
import { checkCron, cronFields } from '../engine/cron.ts';
import { completeFields, type FieldRules, readFields } from '../engine/fields.ts';
import { membersOf, textOf } from '../engine/json.ts';
import { errors } from '../errors.ts';

/** Configuration of a table's monitor. It is stored with the names of the older API; `new-names.ts` translates to the newer one. */

const name = { type: 'string', required: true, least: 1, most: 255 } as const;
const names = (most: number) => ({ type: 'array', most, items: { type: 'string', most: 1000 } }) as const;

/** The names and enumerations in which the two APIs differ. */
export interface ConfigNames {
  /** Suffix of fields that name a column. */
  readonly column: string;
  readonly problemTypes: readonly string[];
  readonly metricTypes: readonly string[];
  readonly pauseStatuses: readonly string[];
  readonly notifications: string;
  /** Undefined: any text. */
  readonly granularities?: readonly string[];
}

const OLD_NAMES: ConfigNames = {
  column: 'col',
  problemTypes: ['PROBLEM_TYPE_CLASSIFICATION', 'PROBLEM_TYPE_REGRESSION'],
  metricTypes: ['AGGREGATE', 'DERIVED', 'DRIFT'].map((type) => `CUSTOM_METRIC_TYPE_${type}`),
  pauseStatuses: ['UNPAUSED', 'PAUSED', 'UNSPECIFIED'],
  notifications: 'notifications',
};

function profilesIn({ column, problemTypes, granularities: words }: ConfigNames): FieldRules {
  const items = words ? ({ type: 'string', words } as const) : names(20).items;
  const granularities = { type: 'array', most: 20, items, required: true, least: 1 } as const;
  return {
    snapshot: { type: 'object', members: {} },
    time_series: { type: 'object', members: { [`timestamp_${column}`]: name, granularities } },
    inference_log: {
      type: 'object',
      members: {
        problem_type: { type: 'string', required: true, words: problemTypes },
        [`timestamp_${column}`]: name,
        granularities,
        [`prediction_${column}`]: name,
        [`model_id_${column}`]: name,
        [`label_${column}`]: { type: 'string', most: 255 },
        [`prediction_proba_${column}`]: { type: 'string', most: 255 },
      },
    },
  };
}

/** A monitor has exactly one of them. */
export const PROFILE_NAMES: readonly string[] = Object.keys(profilesIn(OLD_NAMES));

/** The fields of a configuration, with the names of an API. */
export const configFields = (words: ConfigNames): FieldRules => ({
  ...profilesIn(words),
  assets_dir: { type: 'string', most: 1000 },
  baseline_table_name: { type: 'string', most: 1000 },
  slicing_exprs: names(100),
  custom_metrics: {
    type: 'array',
    most: 100,
    items: {
      type: 'object',
      members: {
        type: { type: 'string', required: true, words: words.metricTypes },
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
      pause_status: { type: 'string', words: words.pauseStatuses, default: words.pauseStatuses[0] as string },
    },
  },
  [words.notifications]: { type: 'object' },
  data_classification_config: { type: 'object' },
  skip_builtin_dashboard: { type: 'boolean' },
  warehouse_id: { type: 'string', most: 100 },
});

const OLD_FIELDS = configFields(OLD_NAMES);

/** The columns in a configuration. */
export function columnsIn(config: JsonMembers): readonly string[] {
  const named = PROFILE_NAMES.flatMap((profile) =>
    Object.entries(membersOf(config[profile])).filter(([field]) => field.endsWith('_col')),
  );
  return named.flatMap(([, value]) => textOf(value) ?? []);
}

/** Validates a configuration by `fields`, by default those of the older API. The result keeps their names. */
export function readConfig(sent: unknown, at = '', fields = OLD_FIELDS): JsonMembers {
  const config = completeFields(fields, readFields(fields, sent, at), at);
  const said = PROFILE_NAMES.filter((profile) => config[profile] !== undefined);
  if (said.length !== 1)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `A monitor must have exactly one of ${PROFILE_NAMES.join(', ')}; ${said.length === 0 ? 'none was given' : `${said.join(' and ')} were given`}.`,
    });
  const { quartz_cron_expression: expression, timezone_id: zone } = membersOf(config.schedule);
  if (config.schedule !== undefined)
    checkCron(`${at}schedule.quartz_cron_expression`, textOf(expression) ?? '', textOf(zone) ?? '');
  return config;
}
