import { isoTime } from '../../../kernel/time/index.ts';
import type { Json, JsonMembers } from '../../../kernel/values/index.ts';
import { listOf, membersOf, numberOf, textOf, textsOf } from '../engine/json.ts';
import type { Typed } from '../warehouses/sql/session.ts';
import { simple } from '../warehouses/sql/types.ts';

const DAY_MS = 86_400_000;

/**
 * The values of query parameters in SQL (`:name`): given by a task, otherwise stored with the query. Date ranges have two values,
 * `:name.start` and `:name.end`, which the SQL of the jar does not support.
 */
export function queryValues(parameters: Json | undefined, given: JsonMembers, now: number): ReadonlyMap<string, Typed> {
  const values = new Map<string, Typed>();
  for (const each of listOf(parameters).map(membersOf)) {
    const name = textOf(each.name) ?? '';
    const own = keptValue(each, now);
    const sent = textOf(given[name]);
    // A numeric parameter keeps its type, although a task sends its value as text.
    if (sent !== undefined && own?.type.kind === 'DOUBLE' && Number.isFinite(Number(sent)))
      values.set(name, { type: own.type, value: Number(sent) });
    else if (sent === undefined && own) values.set(name, own);
  }
  for (const [name, sent] of Object.entries(given))
    if (!values.has(name) && typeof sent === 'string') values.set(name, { type: simple('STRING'), value: sent });
  return values;
}

const textValue = (value: string): Typed => ({ type: simple('STRING'), value });

function keptValue(parameter: JsonMembers, now: number): Typed | undefined {
  const { text_value, numeric_value, date_value, enum_value, query_backed_value } = parameter;
  if (text_value !== undefined) return textValue(textOf(membersOf(text_value).value) ?? '');
  if (numeric_value !== undefined) {
    const value = numberOf(membersOf(numeric_value).value);
    return { type: simple('DOUBLE'), value: value ?? null };
  }
  if (date_value !== undefined) {
    const { date_value: date, dynamic_date_value: dynamic, precision } = membersOf(date_value);
    const at = dynamic === 'YESTERDAY' ? now - DAY_MS : now;
    const length = precision === 'SECOND_PRECISION' ? 19 : precision === 'MINUTE_PRECISION' ? 16 : 10;
    return textValue(textOf(date) ?? isoTime(at).replace('T', ' ').slice(0, length));
  }
  const many = enum_value ?? query_backed_value;
  if (many === undefined) return undefined;
  const { values, multi_values_options } = membersOf(many);
  const { prefix, separator, suffix } = membersOf(multi_values_options);
  const around = (value: string): string => `${textOf(prefix) ?? ''}${value}${textOf(suffix) ?? ''}`;
  return textValue(
    multi_values_options === undefined
      ? (textsOf(values)[0] ?? '')
      : textsOf(values)
          .map(around)
          .join(textOf(separator) ?? ','),
  );
}
