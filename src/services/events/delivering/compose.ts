import type { DueDelivery, Message } from '../../../kernel/delivery/index.ts';
import { type EventSubscription, eventSubscriptions } from '../collections.ts';
import type { Definition, DeliverySchema, Destination } from '../definition.ts';
import type { ResourceMessage } from '../destinations/messages.ts';
import type { EventsJar } from '../jar.ts';
import { secretsOf } from '../secrets.ts';
import { attributeHeaders, secretHeadersOf } from './attributes.ts';
import { wireName } from './endings.ts';
import { messageId } from './message-id.ts';
import { type EventPolicy, policyFor } from './policy-names.ts';
import { schemaOf } from './schemas.ts';

/** Endpoint types that are called by HTTP requests like those to web hooks. */
const CALLED_BY_HTTP: ReadonlySet<string> = new Set(['AzureFunction', 'PartnerDestination']);

/** Composes the messages of a subscription from its events. */

interface Target {
  readonly subscription: EventSubscription;
  readonly definition: Definition;
  readonly destination: Destination;
}

export function webHookMessage(batch: readonly DueDelivery[], jar: EventsJar): Message | Promise<Message> {
  const known = jar.store.peek(eventSubscriptions, batch[0]?.owner ?? '');
  if (known) return webHookOf(batch, targetOf(known.value), jar);
  return findTarget(batch, jar).then((target) => webHookOf(batch, target, jar));
}

function webHookOf(batch: readonly DueDelivery[], target: Target, jar: EventsJar): Message | Promise<Message> {
  const { definition, destination } = target;
  checkPolicy(destination, 'events.webhook');
  const url = secretsOf(jar.vault, definition).endpointUrl ?? destination.properties.endpointBaseUrl ?? '';
  const headers = headersOf(batch, target, jar);
  const body = bodyOf(batch, target);
  const { azureActiveDirectoryTenantId: tenant, azureActiveDirectoryApplicationIdOrUri: audience } =
    destination.properties;
  const secretHeaders = secretHeadersOf(definition);
  if (tenant === undefined || audience === undefined) return { url, headers, secretHeaders, body };
  return jar.directoryTokens.get(tenant, audience).then((token) => {
    return { url, headers: { ...headers, authorization: `Bearer ${token}` }, secretHeaders, body };
  });
}

export async function resourceMessage(batch: readonly DueDelivery[], jar: EventsJar): Promise<ResourceMessage> {
  const target = await findTarget(batch, jar);
  const { destination } = target;
  checkPolicy(destination, 'events.resource');
  const first = batch[0] as DueDelivery;
  const eventId = eventIdOf(first);
  const single = !CALLED_BY_HTTP.has(destination.endpointType);
  // The batch was formed for a function, but the destination has changed since this round of sending began; the next attempt forms the
  // batch anew.
  if (single && batch.length > 1) throw new Error('the destination was changed to one that accepts only single events');
  return {
    url: destination.properties.resourceId ?? '',
    headers: { ...headersOf(batch, target, jar), ...(single && { 'aeg-output-event-id': eventId }) },
    body: single ? first.body : bodyOf(batch, target),
    deliveryId: messageId(batch),
    eventId,
    destination,
    owner: first.owner ?? '',
  };
}

async function findTarget(batch: readonly DueDelivery[], jar: EventsJar): Promise<Target> {
  const owner = batch[0]?.owner ?? '';
  const stored =
    (await jar.store.cached(eventSubscriptions, owner)) ?? (await jar.store.get(eventSubscriptions, owner));
  if (!stored) throw new Error(`the event subscription '${owner}' no longer exists`);
  return targetOf(stored.value);
}

function targetOf(subscription: EventSubscription): Target {
  const { live: definition } = subscription;
  if (!definition?.destination) throw new Error(`the event subscription '${subscription.id}' has no destination`);
  return { subscription, definition, destination: definition.destination };
}

/** A delivery that was queued, or is replayed, under the former kind of destination must not be sent under the wrong policy. */
function checkPolicy(destination: Destination, policy: EventPolicy): void {
  if (policyFor(destination) === policy) return;
  throw new Error(`the destination is now a ${destination.endpointType}, which uses another delivery policy`);
}

/** A batch of several can still arrive after the subscription was changed to single events. */
const isBatched = (batch: readonly DueDelivery[], { properties }: Destination): boolean =>
  batch.length > 1 || (properties.maxEventsPerBatch ?? 1) > 1;

/** Always an array, except for single CloudEvents: their content type distinguishes the two forms. */
function bodyOf(batch: readonly DueDelivery[], { definition, destination }: Target): string {
  const first = batch[0] as DueDelivery;
  const schema = schemaOf(first.body, definition.eventDeliverySchema);
  if (schema === 'CloudEventSchemaV1_0' && !isBatched(batch, destination)) return first.body;
  return batch.length === 1 ? `[${batch[0]?.body}]` : `[${batch.map((each) => each.body).join(',')}]`;
}

function headersOf(batch: readonly DueDelivery[], target: Target, jar: EventsJar): Record<string, string> {
  const { subscription, definition, destination } = target;
  const first = batch[0] as DueDelivery;
  const schema = schemaOf(first.body, definition.eventDeliverySchema);
  const headers: Record<string, string> = {
    'content-type': contentType(schema, isBatched(batch, destination)),
    'aeg-event-type': 'Notification',
    'aeg-subscription-name': wireName(subscription.name),
    'aeg-delivery-count': String(first.attempts),
  };
  if (schema === 'EventGridSchema') {
    headers['aeg-metadata-version'] = '1';
    headers['aeg-data-version'] = dataVersionOf(first.body);
  }
  const { deliveryAttributeMappings: mappings } = destination.properties;
  if (mappings && mappings.length > 0)
    Object.assign(headers, attributeHeaders(mappings, secretsOf(jar.vault, definition), first.body));
  return headers;
}

function contentType(schema: DeliverySchema, isBatch: boolean): string {
  if (schema !== 'CloudEventSchemaV1_0') return 'application/json; charset=utf-8';
  return `application/cloudevents${isBatch ? '-batch' : ''}+json; charset=utf-8`;
}

/** The delivery's subject contains type and id, but both may contain spaces. */
function eventIdOf({ id, subject, body }: DueDelivery): string {
  const { id: own } = JSON.parse(body) as { id?: unknown };
  if (typeof own === 'string' && subject?.endsWith(` ${own}`)) return own;
  return subject?.slice(subject.lastIndexOf(' ') + 1) ?? id;
}

/** Matches the end of the text, so that the event need not be parsed. */
const DATA_VERSION = /"dataVersion":"([^"\\]*)","metadataVersion":"1"\}$/;

function dataVersionOf(event: string): string {
  const found = DATA_VERSION.exec(event)?.[1];
  if (found !== undefined) return headerText(found);
  const { dataVersion } = JSON.parse(event) as { dataVersion?: unknown };
  return headerText(String(dataVersion ?? ''));
}

/** Headers hold printable ASCII only, but publishers may send any character. */
const headerText = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 256);
