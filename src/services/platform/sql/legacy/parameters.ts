import { isList, type Json, type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import { listOf, membersOf, textOf } from '../../engine/json.ts';

/** Parameters of a query: the older API has a type and a value, the current one a member for each type. */

const PRECISIONS: Readonly<Record<string, string>> = {
  date: 'DAY_PRECISION',
  datetime: 'MINUTE_PRECISION',
  'datetime-local': 'MINUTE_PRECISION',
  'datetime-with-seconds': 'SECOND_PRECISION',
};

const values = (value: Json | undefined): readonly Json[] =>
  isList(value) ? value : value === undefined ? [] : [value];

function typed({ type, value, enumOptions, queryId, multiValuesOptions }: JsonMembers): JsonMembers {
  const many = multiValuesOptions === undefined ? {} : { multi_values_options: multiValuesOptions };
  switch (type) {
    case 'number':
      return { numeric_value: omitAbsent({ value }) };
    case 'enum':
      return { enum_value: omitAbsent({ enum_options: enumOptions, values: values(value), ...many }) };
    case 'query':
      return { query_backed_value: omitAbsent({ query_id: queryId, values: values(value), ...many }) };
    case 'date':
    case 'datetime':
    case 'datetime-local':
    case 'datetime-with-seconds':
      return { date_value: omitAbsent({ date_value: value, precision: PRECISIONS[type] }) };
    default:
      return { text_value: omitAbsent({ value }) };
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
  const { text_value, numeric_value, date_value, enum_value, query_backed_value } = parameter;
  if (numeric_value !== undefined) return { type: 'number', value: membersOf(numeric_value).value };
  if (date_value !== undefined) return { type: 'datetime', value: membersOf(date_value).date_value };
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

export const toLegacyParameters = (kept: Json | undefined): readonly JsonMembers[] =>
  listOf(kept).map((each) => {
    const parameter = membersOf(each);
    const { name, title } = parameter;
    return omitAbsent({ name, title, ...untyped(parameter) });
  });
