import type { Json } from '../../kernel/store/index.ts';
import type { DeliverySchema } from './definition.ts';
import type { GridEvent, InputSchema, JsonObject } from './event.ts';
import { rfc3339 } from './forms/times.ts';

/** What events of a topic can be delivered as, by what it takes; the first is what a subscription gets unless it says otherwise. */
export const ALLOWED_OUTPUTS: Readonly<Record<InputSchema, readonly DeliverySchema[]>> = {
  EventGridSchema: ['EventGridSchema', 'CloudEventSchemaV1_0'],
  CloudEventSchemaV1_0: ['CloudEventSchemaV1_0'],
  CustomEventSchema: ['EventGridSchema', 'CustomInputSchema', 'CloudEventSchemaV1_0'],
};

/** Many subscriptions of a topic want the same text. */
const written = new WeakMap<GridEvent, Map<DeliverySchema, string>>();

/**
 * The event as JSON text in the schema that a subscription wants. Subscriptions are checked against the table above when they are
 * made; should one want what cannot be had all the same, it gets the event in its own schema rather than never.
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

/** The whole payload of an event in a custom schema. */
const dataOf = ({ schema, data, original }: GridEvent): Json | undefined =>
  schema === 'CustomEventSchema' ? (original as Json | undefined) : data;

/** `data` is always there: the official clients take an event without it for something else. */
function nativeText(event: GridEvent): string {
  const { id, topic, subject, type: eventType, time: eventTime, dataVersion } = event;
  const data = dataOf(event) ?? null;
  return JSON.stringify({ id, topic, subject, eventType, eventTime, data, dataVersion, metadataVersion: '1' });
}

/** An attribute of a CloudEvent is absent rather than empty, and its time has a zone. */
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

/** All that was sent, the attributes in the order of the specification, extensions after the data. */
function cloudEventText(original: JsonObject): string {
  const ordered: Record<string, Json | undefined> = {};
  for (const name of LISTED) ordered[name] = original[name];
  // Their names are letters and digits, so that none of them is a trap.
  for (const name in original) if (!LISTED.has(name)) ordered[name] = original[name];
  return JSON.stringify(ordered);
}
