import { lastSegment } from '../../shared/format/ids.ts';
import type { Subscription, Topic } from './api.ts';

/** The mapping of a custom schema: where the fields of an event are. */
export type Mapping = Readonly<
  Record<string, { readonly sourceField?: string | null; readonly defaultValue?: string | null } | null>
>;

interface Wanted {
  readonly topic: Pick<Topic, 'kind' | 'inputSchema'>;
  readonly mapping?: Mapping | undefined;
  /** A subscription whose filter the event should match as far as type and subject go. */
  readonly match?: Subscription | undefined;
  readonly id: string;
  readonly now: string;
}

/** A valid event in the schema of a topic. */
export function exampleFor({ topic, mapping, match, id, now }: Wanted): object {
  const { includedEventTypes, subjectBeginsWith = '', subjectEndsWith = '' } = match?.filter ?? {};
  const type = includedEventTypes?.[0] ?? 'Shop.OrderPlaced';
  const subject = `${subjectBeginsWith || '/orders/'}1${subjectEndsWith}`;
  const isDomain = topic.kind === 'domain';
  const data = { color: 'red', amount: 3 };
  if (topic.inputSchema === 'CloudEventSchemaV1_0')
    return { specversion: '1.0', id, source: isDomain ? 'topic-1' : '/shop', type, subject, time: now, data };
  const native = { ...(isDomain && { topic: 'topic-1' }), id, eventType: type, subject, eventTime: now };
  if (topic.inputSchema === 'CustomEventSchema') return customExample(mapping ?? {}, native);
  return { ...native, dataVersion: '1', data };
}

function customExample(mapping: Mapping, native: Readonly<Record<string, string>>): object {
  const event: Record<string, unknown> = { color: 'red', amount: 3 };
  for (const [field, source] of Object.entries(mapping)) {
    if (source?.sourceField) put(event, source.sourceField.split('.'), native[field] ?? '1');
  }
  return event;
}

function put(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const known = into[name];
  const inner = typeof known === 'object' && known !== null ? (known as Record<string, unknown>) : {};
  into[name] = inner;
  put(inner, rest, value);
}

/** The id of an event in any schema, to find its trace. */
export function idOf(event: unknown, mapping: Mapping | undefined): string | undefined {
  const path = mapping?.id?.sourceField?.split('.') ?? ['id'];
  const found = path.reduce<unknown>(
    (part, name) => (typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[name] : undefined),
    event,
  );
  return typeof found === 'string' ? found : undefined;
}

interface Sent {
  readonly topic?: string;
  readonly source?: string;
  readonly eventType?: string;
  readonly type?: string;
  readonly subject?: string;
  readonly dataVersion?: string;
  readonly data?: unknown;
}

/** What the jar is asked about an event that is not published yet. For a domain, the event names the topic. */
export function questionOf(
  { id, kind, inputSchema }: Pick<Topic, 'id' | 'kind' | 'inputSchema'>,
  event: unknown,
): { topic: string; eventType: string; subject?: string; dataVersion?: string; data?: unknown } {
  const { topic, source, eventType, type, subject, dataVersion, data } = event as Sent;
  const name = lastSegment((inputSchema === 'CloudEventSchemaV1_0' ? source : topic) ?? '');
  return {
    topic: kind === 'domain' ? `${id}/topics/${name}` : id,
    eventType: eventType ?? type ?? '',
    ...(subject !== undefined && { subject }),
    ...(dataVersion !== undefined && { dataVersion }),
    ...(data !== undefined && { data }),
  };
}
