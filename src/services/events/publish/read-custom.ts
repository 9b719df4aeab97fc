import { uuid } from '../../../kernel/ids/index.ts';
import type { Json } from '../../../kernel/store/index.ts';
import type { JsonObject } from '../event.ts';
import { readTime } from '../forms/times.ts';
import { type CustomField, valueAt } from './custom-fields.ts';
import { topicNameIn } from './domain-names.ts';
import { objectOf } from './read-json.ts';
import { wrongTime, wrongTopic } from './read-native.ts';
import { fieldAt, type Reading } from './reading.ts';

/** Type of an event whose topic maps no type: CloudEvents require one. */
const UNMAPPED_TYPE = 'CustomEvent';

/** Events in a custom schema: any objects; the topic's mapping finds their envelope fields. */
export function readCustom(list: readonly Json[], reading: Reading): void {
  for (let index = 0; index < list.length; index++) {
    const at = `[${index}]`;
    const event = objectOf(list[index], at, reading.mistakes);
    if (event) readOne(event, at, reading);
  }
}

function readOne(event: Readonly<Record<string, Json>>, at: string, reading: Reading): void {
  const { plan, mistakes, events, now, aliases } = reading;
  const { id, eventTime, eventType, subject, dataVersion, topic } = plan.custom;
  const time = textAt(event, eventTime, at, reading);
  if (time !== undefined && Number.isNaN(readTime(time))) {
    mistakes.add(fieldAt(at, eventTime.sourceField ?? ''), wrongTime(time));
  }
  const named = plan.isDomain ? textAt(event, topic, at, reading) : undefined;
  if (plan.isDomain) {
    const name = named === undefined ? undefined : topicNameIn(plan, named, aliases);
    if (name === undefined) mistakes.add(fieldAt(at, topic.sourceField ?? 'topic'), wrongTopic(named));
    reading.topicNames.push(name ?? '');
  }
  const original = event as JsonObject;
  events.push({
    schema: 'CustomEventSchema',
    // The service generates values that the mapping leaves out.
    id: textAt(event, id, at, reading) ?? uuid(),
    type: textAt(event, eventType, at, reading) ?? UNMAPPED_TYPE,
    subject: textAt(event, subject, at, reading) ?? '',
    time: time ?? new Date(now).toISOString(),
    dataVersion: textAt(event, dataVersion, at, reading) ?? '',
    topic: plan.id,
    data: event as Json,
    original,
  });
}

const NEVER_EMPTY: ReadonlySet<string> = new Set(['id', 'eventType', 'eventTime']);

/** The field that the mapping names, otherwise its default; a named field without a default is required. */
function textAt(
  event: Readonly<Record<string, Json>>,
  field: CustomField,
  at: string,
  { mistakes }: Reading,
): string | undefined {
  const value = valueAt(event, field);
  if (value === undefined) {
    if (field.defaultValue !== undefined || field.sourceField === undefined) return field.defaultValue;
    mistakes.add(fieldAt(at, field.sourceField), `is required: the topic takes '${field.name}' from it`);
    return undefined;
  }
  const isThere = value !== '' || !NEVER_EMPTY.has(field.name);
  if (typeof value !== 'object' && isThere) return String(value);
  mistakes.add(
    fieldAt(at, field.sourceField ?? ''),
    `must be ${isThere ? '' : 'more than empty '}text: the topic takes '${field.name}' from it`,
  );
  return undefined;
}
