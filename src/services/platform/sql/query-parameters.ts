import type { Json } from '../../../kernel/values/index.ts';
import type { FieldRule, FieldRules } from '../engine/fields.ts';
import { listOf, membersOf, textOf } from '../engine/json.ts';
import { errors } from '../errors.ts';

/** Parameters of a query: a name, and one member per kind of value. */

const text = { type: 'string' } as const;
const values = { type: 'array', most: 10_000, items: text } as const;
const precision = { ...text, words: ['DAY_PRECISION', 'MINUTE_PRECISION', 'SECOND_PRECISION'] } as const;
const MANY: FieldRule = { type: 'object', members: { prefix: text, separator: text, suffix: text } };

const RANGES = [
  ...['TODAY', 'YESTERDAY', 'LAST_HOUR', 'LAST_8_HOURS', 'LAST_24_HOURS', 'LAST_7_DAYS', 'LAST_14_DAYS'],
  ...['LAST_30_DAYS', 'LAST_60_DAYS', 'LAST_90_DAYS', 'LAST_12_MONTHS', 'LAST_WEEK', 'LAST_MONTH', 'LAST_YEAR'],
  ...['THIS_WEEK', 'THIS_MONTH', 'THIS_YEAR'],
];

const VALUES: FieldRules = {
  text_value: { type: 'object', members: { value: text } },
  numeric_value: { type: 'object', members: { value: { type: 'number' } } },
  date_value: {
    type: 'object',
    members: { date_value: text, dynamic_date_value: { ...text, words: ['NOW', 'YESTERDAY'] }, precision },
  },
  date_range_value: {
    type: 'object',
    members: {
      date_range_value: {
        type: 'object',
        members: { start: { ...text, required: true }, end: { ...text, required: true } },
      },
      dynamic_date_range_value: { ...text, words: RANGES },
      precision,
      start_day_of_week: { type: 'integer' },
    },
  },
  enum_value: { type: 'object', members: { enum_options: text, values, multi_values_options: MANY } },
  query_backed_value: { type: 'object', members: { query_id: text, values, multi_values_options: MANY } },
};

export const PARAMETER: FieldRules = { name: { ...text, required: true, least: 1 }, title: text, ...VALUES };

/** Requires unique names and exactly one kind of value for each parameter. */
export function checkParameters(parameters: Json | undefined): void {
  const names = new Set<string>();
  for (const each of listOf(parameters).map(membersOf)) {
    const name = textOf(each.name) ?? '';
    const kinds = Object.keys(VALUES).filter((kind) => each[kind] !== undefined);
    if (kinds.length !== 1)
      throw invalid(
        `The parameter '${name.slice(0, 200)}' must have exactly one of ${Object.keys(VALUES).join(', ')}.`,
      );
    if (names.has(name)) throw invalid(`There are two parameters '${name.slice(0, 200)}'.`);
    names.add(name);
  }
}

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });
