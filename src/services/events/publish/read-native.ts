import { resourceKey } from '../../../kernel/arm/index.ts';
import type { Json } from '../../../kernel/store/index.ts';
import { readTime } from '../forms/times.ts';
import { topicNameIn } from './domain-names.ts';
import { quote } from './mistakes.ts';
import { objectOf } from './read-json.ts';
import { fieldAt, type Reading } from './reading.ts';

const METADATA_VERSION = '1';

/** Some clients send null or an empty text instead of leaving a member out. */
const isUnset = (value: Json | undefined): boolean => value === undefined || value === null || value === '';

/** Events in the native schema. */
export function readNative(list: readonly Json[], reading: Reading): void {
  for (let index = 0; index < list.length; index++) {
    const at = `[${index}]`;
    const event = objectOf(list[index], at, reading.mistakes);
    if (event) readOne(event, at, reading);
  }
}

function readOne(event: Readonly<Record<string, Json>>, at: string, reading: Reading): void {
  const { mistakes, plan, events } = reading;
  for (const name in event) {
    if (!KNOWN.has(name)) mistakes.add(fieldAt(at, quote(name)), 'is not a property of an event');
  }
  const { id, subject, eventType, eventTime, data, dataVersion, metadataVersion } = event;
  if (typeof id !== 'string' || id === '') mistakes.add(fieldAt(at, 'id'), wrongText(id));
  if (typeof subject !== 'string') mistakes.add(fieldAt(at, 'subject'), wrongText(subject));
  if (typeof eventType !== 'string' || eventType === '') mistakes.add(fieldAt(at, 'eventType'), wrongText(eventType));
  if (typeof eventTime !== 'string' || eventTime === '') mistakes.add(fieldAt(at, 'eventTime'), wrongText(eventTime));
  else if (Number.isNaN(readTime(eventTime))) mistakes.add(fieldAt(at, 'eventTime'), wrongTime(eventTime));
  if (!isUnset(dataVersion) && typeof dataVersion !== 'string') {
    mistakes.add(fieldAt(at, 'dataVersion'), 'must be a string');
  }
  if (!isUnset(metadataVersion) && metadataVersion !== METADATA_VERSION) {
    mistakes.add(
      fieldAt(at, 'metadataVersion'),
      `is set by the service; if it is sent, it must be '${METADATA_VERSION}'`,
    );
  }
  readTopic(event.topic, at, reading);
  events.push({
    schema: 'EventGridSchema',
    id: id as string,
    type: eventType as string,
    subject: subject as string,
    time: eventTime as string,
    dataVersion: typeof dataVersion === 'string' ? dataVersion : '',
    topic: plan.id,
    ...(data !== undefined && { data }),
  });
}

/** At a topic it must name the topic itself; at a domain it says which topic the event is for. */
function readTopic(topic: Json | undefined, at: string, { plan, aliases, mistakes, topicNames }: Reading): void {
  if (!plan.isDomain) {
    if (isUnset(topic) || topic === plan.id) return;
    if (typeof topic === 'string' && resourceKey(topic, aliases) === plan.key) return;
    mistakes.add(fieldAt(at, 'topic'), `is set by the service; if it is sent, it must be '${plan.id}'`);
    return;
  }
  const name = typeof topic === 'string' ? topicNameIn(plan, topic, aliases) : undefined;
  if (name === undefined) mistakes.add(fieldAt(at, 'topic'), wrongTopic(topic));
  topicNames.push(name ?? '');
}

const KNOWN: ReadonlySet<string> = new Set([
  'id',
  'topic',
  'subject',
  'eventType',
  'eventTime',
  'data',
  'dataVersion',
  'metadataVersion',
]);

export const wrongText = (value: Json | undefined): string => {
  if (value === undefined || value === null) return 'is required';
  return value === '' ? 'must not be empty' : 'must be a string';
};

export const wrongTime = (value: string): string => `must be a time in ISO 8601, not '${quote(value)}'`;

export const wrongTopic = (value: Json | undefined): string =>
  isUnset(value)
    ? 'is required: it names the topic of the domain'
    : 'must name a topic of the domain, by its name or by its id';
