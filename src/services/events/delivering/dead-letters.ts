import { createHash } from 'node:crypto';
import type { DueDelivery } from '../../../kernel/delivery/index.ts';
import type { DeadLetterMessage } from '../destinations/messages.ts';
import type { JsonObject } from '../event.ts';
import type { EventsJar } from '../jar.ts';
import type { DeadLetter, DeadLetterNote } from './endings.ts';
import { messageId } from './message-id.ts';

/** One blob for the whole batch: an array of events, each with its dead-letter note. */
export function deadLetterMessage(batch: readonly DueDelivery[], { clock }: EventsJar): DeadLetterMessage {
  const first = batch[0] as DueDelivery;
  const { resource = '', container = '', folder = '' } = first.headers;
  const id = messageId(batch);
  const body = `[${batch.map((each) => JSON.stringify(recordOf(JSON.parse(each.body) as DeadLetter))).join(',')}]`;
  return {
    url: first.url,
    body,
    headers: { 'content-type': 'application/json' },
    deliveryId: id,
    resourceId: resource,
    container,
    blob: `${folder}/${hourPath(clock.now())}/${guidOf(id)}.json`,
  };
}

function recordOf({ event, schema, topic, note }: DeadLetter): JsonObject {
  const record = JSON.parse(event) as JsonObject;
  if (schema === 'EventGridSchema') return { ...record, ...note };
  if (schema === 'CloudEventSchemaV1_0') return { ...record, ...lowerCased(note) };
  // An event in a custom schema is wrapped, because the record needs members for the note.
  return {
    id: textOf(record.id),
    eventTime: note.publishTime,
    eventType: 'Custom',
    dataVersion: '1',
    metadataVersion: '1',
    topic,
    subject: '',
    ...note,
    data: record,
  };
}

/** Names of CloudEvents extensions consist of lower-case letters and digits only. */
function lowerCased(note: DeadLetterNote): JsonObject {
  return Object.fromEntries(Object.entries(note).map(([name, value]) => [name.toLowerCase(), value]));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `2030/1/5/7`: UTC, without leading zeros. */
function hourPath(at: number): string {
  const time = new Date(at);
  return [time.getUTCFullYear(), time.getUTCMonth() + 1, time.getUTCDate(), time.getUTCHours()].join('/');
}

/** The same for every attempt, so that a blob that was written but not confirmed is overwritten. */
function guidOf(id: string): string {
  const digits = createHash('sha256').update(id).digest('hex');
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => digits.slice(from, to))
    .join('-');
}
