import type { Json, JsonMembers } from '../../../kernel/values/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import type { FieldRules } from '../engine/fields.ts';
import { listOf, membersOf } from '../engine/json.ts';
import { configFields } from './config.ts';

/** Translates configurations of monitors to the newer API: other names for fields that name columns, and prefixes of enumeration values. */

const [PROBLEM, METRIC, PAUSE, GRANULARITY] = [
  'INFERENCE_PROBLEM_TYPE_',
  'DATA_PROFILING_CUSTOM_METRIC_TYPE_',
  'CRON_SCHEDULE_PAUSE_STATUS_',
  'AGGREGATION_GRANULARITY_',
] as const;

const GRANULARITIES = [
  '5_MINUTES',
  '30_MINUTES',
  '1_HOUR',
  '1_DAY',
  '1_WEEK',
  '2_WEEKS',
  '3_WEEKS',
  '4_WEEKS',
  '1_MONTH',
  '1_YEAR',
];

export const NEW_FIELDS: FieldRules = configFields({
  column: 'column',
  problemTypes: ['CLASSIFICATION', 'REGRESSION'].map((type) => PROBLEM + type),
  metricTypes: ['AGGREGATE', 'DERIVED', 'DRIFT'].map((type) => METRIC + type),
  pauseStatuses: ['UNPAUSED', 'PAUSED', 'UNSPECIFIED'].map((status) => PAUSE + status),
  notifications: 'notification_settings',
  granularities: GRANULARITIES.map((each) => GRANULARITY + each),
});

/** Translates names and values in one direction. */
interface Translation {
  readonly field: (name: string) => string;
  readonly word: (field: string, word: string) => string;
}

const TO_OLD: Translation = {
  field: (name) => (name === 'notification_settings' ? 'notifications' : name.replace(/_column$/, '_col')),
  word(field, word) {
    if (field === 'problem_type') return word.replace(PROBLEM, 'PROBLEM_TYPE_');
    if (field === 'type') return word.replace(METRIC, 'CUSTOM_METRIC_TYPE_');
    if (field === 'pause_status') return word.replace(PAUSE, '');
    return field === 'granularities' ? word.replace(GRANULARITY, '').replaceAll('_', ' ').toLowerCase() : word;
  },
};

const TO_NEW: Translation = {
  field: (name) => (name === 'notifications' ? 'notification_settings' : name.replace(/_col$/, '_column')),
  word(field, word) {
    if (field === 'problem_type') return word.replace(/^PROBLEM_TYPE_/, PROBLEM);
    if (field === 'type') return word.replace(/^CUSTOM_METRIC_TYPE_/, METRIC);
    if (field === 'pause_status') return `${PAUSE}${word}`;
    return field === 'granularities' ? `${GRANULARITY}${word.replaceAll(' ', '_').toUpperCase()}` : word;
  },
};

/** The parts of a configuration that differ. */
const TRANSLATED: ReadonlySet<string> = new Set(['time_series', 'inference_log', 'custom_metrics', 'schedule']);

const translated = (config: JsonMembers, by: Translation): JsonMembers =>
  Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      by.field(name),
      TRANSLATED.has(name) && value !== undefined ? translatedPart(value, by) : value,
    ]),
  );

function translatedPart(value: Json, by: Translation): Json {
  if (Array.isArray(value)) return listOf(value).map((each) => translatedPart(each, by));
  if (!isObject(value)) return value;
  const words = (name: string, word: Json | undefined): Json | undefined =>
    typeof word === 'string'
      ? by.word(name, word)
      : Array.isArray(word)
        ? listOf(word).map((each) => (typeof each === 'string' ? by.word(name, each) : each))
        : word;
  return Object.fromEntries(
    Object.entries(membersOf(value)).map(([name, word]) => [by.field(name), words(name, word)]),
  ) as Json;
}

export const toOldNames = (config: JsonMembers): JsonMembers => translated(config, TO_OLD);
export const toNewNames = (config: JsonMembers): JsonMembers => translated(config, TO_NEW);
