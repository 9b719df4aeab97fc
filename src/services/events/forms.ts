import type { Json } from '../../kernel/store/index.ts';
import type { DeliverySchema } from './definition.ts';
import type { GridEvent, InputSchema, JsonObject } from './event.ts';
import { rfc3339 } from './forms/times.ts';

/** Schemas in which events of a topic can be delivered, by the input schema of the topic; the first is the default. */
export const ALLOWED_OUTPUTS: Readonly<Record<InputSchema, readonly DeliverySchema[]>> = {
  EventGridSchema: ['EventGridSchema', 'CloudEventSchemaV1_0'],
  CloudEventSchemaV1_0: ['CloudEventSchemaV1_0'],
  CustomEventSchema: ['EventGridSchema', 'CustomInputSchema', 'CloudEventSchemaV1_0'],
};

/** Caches the text of an event per schema: many subscriptions of a topic want the same. */
const written = new WeakMap<GridEvent, Map<DeliverySchema, string>>();

/**
 * The event as JSON text in the schema that a subscription wants. Subscriptions are checked against the table above when they are written;
 * if one still wants an impossible schema, the event is delivered in its own schema rather than never.
 */
export function outputOf(event: GridEvent, schema: DeliverySchema): string {
  let texts = written.get(event);
  if (!texts) {
    texts = new Map();
    written.set(event, texts);
  }
  let text = texts.get(schema);
  if (text === undefined) {
    text = write(event, schema);
    texts.set(schema, text);
  }
  return text;
}

function write(event: GridEvent, schema: DeliverySchema): string {
  const { original } = event;
  if (event.schema === 'CloudEventSchemaV1_0' && original) return cloudEventText(original);
  if (schema === 'CustomInputSchema' && original) return JSON.stringify(original);
  return schema === 'CloudEventSchemaV1_0' ? convertedText(event) : nativeText(event);
}

/** For an event in a custom schema, the whole payload. */
const dataOf = ({ schema, data, original }: GridEvent): Json | undefined =>
  schema === 'CustomEventSchema' ? (original as Json | undefined) : data;

/** `data` is always written: the official clients misread an event without it. */
function nativeText(event: GridEvent): string {
  const { id, topic, subject, type: eventType, time: eventTime, dataVersion } = event;
  const data = dataOf(event) ?? null;
  return JSON.stringify({ id, topic, subject, eventType, eventTime, data, dataVersion, metadataVersion: '1' });
}

/** A CloudEvent omits an empty attribute, and its time has a time zone. */
function convertedText(event: GridEvent): string {
  const data = dataOf(event);
  return JSON.stringify({
    specversion: '1.0',
    id: event.id,
    source: event.topic,
    type: event.type,
    subject: event.subject === '' ? undefined : event.subject,
    time: rfc3339(event.time),
    datacontenttype: data === undefined ? undefined : 'application/json',
    data,
  });
}

const LISTED: ReadonlySet<string> = new Set([
  'specversion',
  'id',
  'source',
  'type',
  'subject',
  'time',
  'datacontenttype',
  'dataschema',
  'data',
  'data_base64',
]);

/** All members that were sent: attributes in the order of the specification, extensions after the data. */
function cloudEventText(original: JsonObject): string {
  const ordered: Record<string, Json | undefined> = {};
  for (const name of LISTED) ordered[name] = original[name];
  // Names are letters and digits only, so that no name is unsafe as a property.
  for (const name in original) if (!LISTED.has(name)) ordered[name] = original[name];
  return JSON.stringify(ordered);
}
