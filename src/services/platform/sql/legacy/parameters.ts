import { isoTime } from '../../../../kernel/time/index.ts';
import { isList, type Json, type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import { listOf, membersOf, textOf } from '../../engine/json.ts';
import type { PlatformObject } from '../../engine/objects.ts';

/** Conversion of query parameters: the older API has a type and a value, the current API a member per type. */

const PRECISIONS: Readonly<Record<string, string>> = {
  date: 'DAY_PRECISION',
  datetime: 'MINUTE_PRECISION',
  'datetime-local': 'MINUTE_PRECISION',
  'datetime-with-seconds': 'SECOND_PRECISION',
};

/** Values of the older API may be of any type. */
const asText = (value: Json | undefined): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value);

const asNumber = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;

const values = (value: Json | undefined): readonly string[] =>
  (isList(value) ? value : [value]).flatMap((each) => asText(each) ?? []);

const rangeOf = (value: Json | undefined): JsonMembers =>
  typeof value === 'string' ? { dynamic_date_range_value: value } : omitAbsent({ date_range_value: value });

function typed({ type, value, enumOptions, queryId, multiValuesOptions }: JsonMembers): JsonMembers {
  const many = multiValuesOptions === undefined ? {} : { multi_values_options: multiValuesOptions };
  switch (type) {
    case 'number':
      return { numeric_value: omitAbsent({ value: asNumber(value) }) };
    case 'enum':
      return { enum_value: omitAbsent({ enum_options: enumOptions, values: values(value), ...many }) };
    case 'query':
      return { query_backed_value: omitAbsent({ query_id: queryId, values: values(value), ...many }) };
    case 'date-range':
    case 'datetime-range':
    case 'datetime-range-with-seconds':
      return { date_range_value: rangeOf(value) };
    case 'date':
    case 'datetime':
    case 'datetime-local':
    case 'datetime-with-seconds':
      return { date_value: omitAbsent({ date_value: asText(value), precision: PRECISIONS[type] }) };
    default:
      return { text_value: omitAbsent({ value: asText(value) }) };
  }
}

export const fromLegacyParameters = (sent: Json | undefined): readonly JsonMembers[] =>
  listOf(sent).map((each) => {
    const parameter = membersOf(each);
    const { name, title } = parameter;
    return omitAbsent({ name: textOf(name), title: textOf(title), ...typed(parameter) });
  });

const only = (list: readonly Json[], isMany: boolean): Json | undefined => (isMany ? list : list[0]);

function untyped(parameter: JsonMembers): JsonMembers {
  const { text_value, numeric_value, date_value, date_range_value, enum_value, query_backed_value } = parameter;
  if (numeric_value !== undefined) return { type: 'number', value: membersOf(numeric_value).value };
  if (date_range_value !== undefined) {
    const { date_range_value: range, dynamic_date_range_value: dynamic } = membersOf(date_range_value);
    return { type: 'datetime-range', value: range ?? dynamic };
  }
  if (date_value !== undefined)
    return { type: 'datetime', value: membersOf(date_value).date_value ?? membersOf(date_value).dynamic_date_value };
  const listed = enum_value ?? query_backed_value;
  if (listed !== undefined) {
    const { enum_options, query_id, values: chosen, multi_values_options } = membersOf(listed);
    return {
      type: enum_value === undefined ? 'query' : 'enum',
      enumOptions: enum_options,
      queryId: query_id,
      value: only(listOf(chosen), multi_values_options !== undefined),
      multiValuesOptions: multi_values_options,
    };
  }
  return { type: 'text', value: membersOf(text_value).value };
}

const toLegacyParameters = (kept: Json | undefined): readonly JsonMembers[] =>
  listOf(kept).map((each) => {
    const parameter = membersOf(each);
    const { name, title } = parameter;
    return omitAbsent({ name, title, ...untyped(parameter) });
  });

/** `options` of a query, with the time of deletion if it is in the trash. */
export const legacyQueryOptions = ({ fields, trashedAt }: PlatformObject): JsonMembers => ({
  parameters: toLegacyParameters(fields.parameters),
  ...(trashedAt !== undefined && { moved_to_trash_at: isoTime(trashedAt) }),
});
