import type { Json } from '../../../kernel/store/index.ts';
import type { JsonObject } from '../event.ts';
import { isRfc3339 } from '../forms/times.ts';
import { topicNameIn } from './domain-names.ts';
import { quote } from './mistakes.ts';
import { objectOf } from './read-json.ts';
import { wrongText, wrongTopic } from './read-native.ts';
import { fieldAt, type Reading } from './reading.ts';

/** CloudEvents 1.0, validated by the specification and its JSON format. */

export function readCloudBatch(list: readonly Json[], reading: Reading): void {
  for (let index = 0; index < list.length; index++) {
    const at = `[${index}]`;
    const event = objectOf(list[index], at, reading.mistakes);
    if (event) readCloudEvent(event, at, reading);
  }
}

export function readCloudEvent(event: Readonly<Record<string, Json>>, at: string, reading: Reading): void {
  const { plan, mistakes, events, now } = reading;
  for (const name in event) {
    const reason = mistakeIn(name, event[name] as Json);
    if (reason !== undefined) mistakes.add(fieldAt(at, quote(name)), reason);
  }
  for (const name of REQUIRED) if (event[name] === undefined) mistakes.add(fieldAt(at, name), 'is required');
  if (event.data !== undefined && typeof event.data_base64 === 'string') {
    mistakes.add(fieldAt(at, 'data_base64'), "and 'data' exclude one another");
  }
  if (plan.isDomain) readSource(event.source, at, reading);
  const { id, type, subject, time, data } = event;
  events.push({
    schema: 'CloudEventSchemaV1_0',
    id: id as string,
    type: type as string,
    subject: typeof subject === 'string' ? subject : '',
    time: typeof time === 'string' ? time : new Date(now).toISOString(),
    dataVersion: '',
    topic: plan.id,
    ...(data !== undefined && { data }),
    original: event as JsonObject,
  });
}

const REQUIRED = ['specversion', 'id', 'source', 'type'] as const;

/** Characters of RFC 3986 and percent-encoded bytes; their positions are not checked. */
const URI_REFERENCE = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;="]|%[0-9A-Fa-f]{2})+$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
export const ATTRIBUTE_NAME = /^[a-z0-9]+$/;

/** Mistake in one member of an event; undefined if it is valid. `null` is an optional attribute that is not set. */
function mistakeIn(name: string, value: Json): string | undefined {
  switch (name) {
    case 'specversion':
      return value === '1.0' ? undefined : "must be '1.0'";
    case 'id':
    case 'type':
      return isText(value) ? undefined : wrongText(value);
    case 'source':
      if (!isText(value)) return wrongText(value);
      return URI_REFERENCE.test(value) ? undefined : 'must be a URI reference';
    case 'subject':
    case 'datacontenttype':
      return value === null || isText(value) ? undefined : wrongText(value);
    case 'time':
      return value === null || (isText(value) && isRfc3339(value)) ? undefined : 'must be a time as in RFC 3339';
    case 'dataschema':
      if (value === null) return undefined;
      return isText(value) && SCHEME.test(value) && URI_REFERENCE.test(value) ? undefined : 'must be a URI';
    case 'data':
      return undefined;
    case 'data_base64':
      return value === null || isBase64(value) ? undefined : 'must be text in base64';
    default:
      return mistakeInExtension(name, value);
  }
}

function mistakeInExtension(name: string, value: Json): string | undefined {
  if (!ATTRIBUTE_NAME.test(name)) return 'is not a valid attribute name: use lower-case letters and digits';
  const isAllowed = typeof value !== 'number' || Number.isInteger(value);
  return isAllowed ? undefined : 'must be a boolean, an integer or a string';
}

const isText = (value: Json): value is string => typeof value === 'string' && value !== '';

const isBase64 = (value: Json): boolean => typeof value === 'string' && value.length % 4 === 0 && BASE64.test(value);

/** The source of an event for a domain names its topic. */
function readSource(source: Json | undefined, at: string, { plan, aliases, mistakes, topicNames }: Reading): void {
  const name = typeof source === 'string' ? topicNameIn(plan, source, aliases) : undefined;
  if (name === undefined && isText(source ?? null)) mistakes.add(fieldAt(at, 'source'), wrongTopic(source));
  topicNames.push(name ?? '');
}
