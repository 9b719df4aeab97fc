import type { Message } from 'rhea';
import type { ResourceMessage } from '../messages.ts';

const JSON_TYPE = 'application/json';

interface Place {
  readonly property?:
    | 'message_id'
    | 'group_id'
    | 'correlation_id'
    | 'subject'
    | 'reply_to'
    | 'reply_to_group_id'
    | 'to';
  readonly annotation?: string;
}

/** Delivery attributes that become properties of the message itself, as documented by the real service; names in lower case. */
const HUB_PLACES: Readonly<Record<string, Place>> = { partitionkey: { annotation: 'x-opt-partition-key' } };

const BUS_PLACES: Readonly<Record<string, Place>> = {
  ...HUB_PLACES,
  viapartitionkey: { annotation: 'x-opt-via-partition-key' },
  messageid: { property: 'message_id' },
  sessionid: { property: 'group_id' },
  correlationid: { property: 'correlation_id' },
  label: { property: 'subject' },
  replyto: { property: 'reply_to' },
  replytosessionid: { property: 'reply_to_group_id' },
  to: { property: 'to' },
};

type Content = (body: Buffer) => unknown;

/** The event becomes the body; what a web hook would get as headers becomes application properties. */
export function brokerMessage(message: ResourceMessage, content: Content): Message {
  const { destination, headers = {}, body, eventId, deliveryId } = message;
  const isHub = destination.endpointType === 'EventHub';
  const places = isHub ? HUB_PLACES : BUS_PLACES;
  const names = new Map(
    (destination.properties.deliveryAttributeMappings ?? []).map(({ name }) => [name.toLowerCase(), name]),
  );
  const properties: Record<string, string> = {};
  const own: Record<string, string> = {};
  const annotations: Record<string, string> = {};
  for (const [header, value] of Object.entries(headers)) {
    const lower = header.toLowerCase();
    if (lower === 'content-type') continue;
    const place = names.has(lower) ? places[lower] : undefined;
    if (place?.property) own[place.property] = value;
    else if (place?.annotation) annotations[place.annotation] = value;
    else properties[names.get(lower) ?? header] = value;
  }
  const wire = {
    durable: true,
    // A service bus detects duplicates by this id: the same for every attempt, different for each subscription.
    message_id: isHub ? eventId : deliveryId,
    content_type: headers['content-type'] ?? JSON_TYPE,
    subject: subjectOf(body),
    ...own,
    application_properties: properties,
    ...(Object.keys(annotations).length > 0 && { message_annotations: annotations }),
    body: content(Buffer.from(body, 'utf8')),
  };
  // The library's type has the methods of a received message, which an outgoing message does not need.
  return wire as Message;
}

/** Exchanges route by the subject. */
function subjectOf(body: string): string | undefined {
  const event = JSON.parse(body) as { subject?: unknown } | null;
  return typeof event?.subject === 'string' ? event.subject : undefined;
}
