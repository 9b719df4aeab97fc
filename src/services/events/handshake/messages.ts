import { withPrefix } from '../../../kernel/arm/index.ts';
import type { DueDelivery, Message } from '../../../kernel/delivery/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { eventSubscriptions, type Pending, subscriptionKey } from '../collections.ts';
import type { Definition } from '../definition.ts';
import { attributeHeaders, secretHeadersOf } from '../delivering/attributes.ts';
import { wireName } from '../delivering/endings.ts';
import type { EventsJar } from '../jar.ts';
import { secretsOf } from '../secrets.ts';
import type { Waiting } from '../subscriptions/transitions.ts';
import { validationUrl } from './address.ts';
import { HANDSHAKE } from './policy-names.ts';
import { REQUEST_ORIGIN } from './verdict.ts';

/** Kind of handshake: an event with a validation code, or the OPTIONS request of CloudEvents web hooks. */
export type HandshakeKind = 'code' | 'origin';

/** Returns undefined if no handshake is needed: only the address of a web hook may belong to someone else. */
export function handshakeKind({ destination, eventDeliverySchema }: Definition): HandshakeKind | undefined {
  if (destination?.endpointType !== 'WebHook') return undefined;
  return eventDeliverySchema === 'CloudEventSchemaV1_0' ? 'origin' : 'code';
}

/** Host that the jar claims as its origin, by the provider prefix of the subscription's last writer. */
const ORIGINS: Readonly<Record<string, string>> = { microsoft: 'eventgrid.azure.net' };
const ORIGIN = 'eventgrid.vendor.example';

/** Public host name of the service, for endpoints. */
export const publicHost = (prefix: string): string => ORIGINS[prefix.toLowerCase()] ?? ORIGIN;

const REQUEST_RATE = '120';

export interface Asked {
  readonly subscription: Waiting;
  readonly code: string;
  /** Origin of the jar as the caller reached it. */
  readonly origin: string;
  readonly apiVersion: string;
}

/** Queues the handshake, in the transaction of the write that waits for it. */
export async function askEndpoint(tx: Tx, jar: EventsJar, asked: Asked): Promise<void> {
  const { subscription, origin, apiVersion } = asked;
  const { name, pending } = subscription;
  const key = subscriptionKey(subscription);
  const time = new Date(pending.since).toISOString();
  const url = validationUrl(jar.vault, origin, name, { key, operation: pending.operation, time }, apiVersion);
  const question =
    handshakeKind(pending.definition) === 'origin' ? originQuestion(asked, url) : codeQuestion(asked, url, time);
  await jar.delivery.enqueue(tx, {
    policy: HANDSHAKE,
    destination: key,
    owner: key,
    subject: subjectOf(pending),
    url: secretsOf(jar.vault, pending.definition).endpointUrl ?? '',
    ...question,
  });
}

/** Identifies the write that a handshake belongs to. */
export const subjectOf = ({ operation }: Pick<Pending, 'operation'>): string => `handshake of operation ${operation}`;

type Question = Pick<DueDelivery, 'headers' | 'body'>;

function codeQuestion({ subscription, code }: Asked, url: string, time: string): Question {
  const { topic, prefix = 'Vendor', name } = subscription;
  const event = {
    id: uuid(),
    topic: withPrefix(topic, prefix),
    subject: '',
    data: { validationCode: code, validationUrl: url },
    eventType: `${prefix}.EventGrid.SubscriptionValidationEvent`,
    eventTime: time,
    metadataVersion: '1',
    dataVersion: '2',
  };
  return { headers: serviceHeaders('SubscriptionValidation', name), body: JSON.stringify([event]) };
}

/** Headers of an event that the service itself sends about a subscription. */
export const serviceHeaders = (type: string, name: string, isCloudEvent = false): Record<string, string> => ({
  'aeg-event-type': type,
  'aeg-subscription-name': wireName(name),
  ...(!isCloudEvent && { 'aeg-metadata-version': '1', 'aeg-data-version': '2' }),
});

function originQuestion({ subscription }: Asked, url: string): Question {
  const headers = {
    [REQUEST_ORIGIN]: publicHost(subscription.prefix ?? ''),
    'webhook-request-callback': url,
    'webhook-request-rate': REQUEST_RATE,
  };
  return { headers, body: '' };
}

/** The handshake request, with the same token and fixed headers that events will have. */
export async function handshakeMessage(batch: readonly DueDelivery[], jar: EventsJar): Promise<Message> {
  const [delivery] = batch as [DueDelivery];
  const { url, headers, body } = delivery;
  const definition = (await jar.store.get(eventSubscriptions, delivery.owner ?? ''))?.value.pending?.definition;
  const further = definition ? await furtherHeaders(definition, jar) : {};
  const secretHeaders = secretHeadersOf(definition ?? {});
  if (headers[REQUEST_ORIGIN] !== undefined)
    return { url, method: 'OPTIONS', headers: { ...further, ...headers }, secretHeaders, body };
  return {
    url,
    headers: { ...further, ...headers, 'aeg-delivery-count': String(delivery.attempts) },
    secretHeaders,
    body,
  };
}

async function furtherHeaders(definition: Definition, jar: EventsJar): Promise<Record<string, string>> {
  if (!definition.destination) return {};
  const {
    deliveryAttributeMappings: mappings = [],
    azureActiveDirectoryTenantId: tenant,
    azureActiveDirectoryApplicationIdOrUri: audience,
  } = definition.destination.properties;
  const fixed = mappings.filter(({ type }) => type === 'Static');
  return {
    ...attributeHeaders(fixed, secretsOf(jar.vault, definition), '{}'),
    ...(tenant !== undefined &&
      audience !== undefined && { authorization: `Bearer ${await jar.directoryTokens.get(tenant, audience)}` }),
  };
}
