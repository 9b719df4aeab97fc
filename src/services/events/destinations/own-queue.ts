import { createHash } from 'node:crypto';
import type { Reply } from '../../../kernel/delivery/index.ts';
import { type OwnQueue, ownQueues, type QueuedMessage, queuedMessages } from '../collections.ts';
import type { Destination } from '../definition.ts';
import type { EventsJar } from '../jar.ts';
import { spellingOf } from './connections.ts';
import { expiryItem } from './expiry-item.ts';
import type { DeadLetterMessage, ResourceMessage } from './messages.ts';
import { succeeded } from './replies.ts';
import { DEFAULT_TTL_SECONDS, type Target } from './targets.ts';

/**
 * The jar's own queues take messages for brokers and storage without a configured connection. Read by `GET /_jar/events/queues` and the
 * routes below it.
 */

const SHORT_HASH = 8;
const LONGEST_NAME = 64;
const SECOND = 1000;
const JSON_TYPE = 'application/json';

function queueIdOf({ entityId, name }: Pick<Target, 'entityId' | 'name'>): string {
  const readable = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const hash = createHash('sha256').update(spellingOf(entityId)).digest('hex').slice(0, SHORT_HASH);
  return `${readable.slice(0, LONGEST_NAME).replace(/^-+|-+$/g, '')}-${hash}`;
}

export const messageKey = (queue: string, id: string): string => `${queue}/${id}`;

export async function putInOwnQueue(
  message: ResourceMessage | DeadLetterMessage,
  target: Target,
  jar: EventsJar,
): Promise<Reply> {
  const id = queueIdOf(target);
  const key = messageKey(id, message.deliveryId);
  const now = jar.clock.now();
  const queued = queuedMessage(message, id, now, jar);
  const known = jar.store.peek(ownQueues, id) ?? (await jar.store.cached(ownQueues, id));
  await jar.store.transact(async (tx) => {
    // An earlier attempt stored the message, but its confirmation was lost.
    if (await tx.get(queuedMessages, key, 'none')) return;
    if (!known) await tx.put(ownQueues, id, ownQueue(id, target, now));
    await tx.put(queuedMessages, key, queued);
    if (queued.expiresAt !== undefined) await tx.wake(expiryItem(id, queued.expiresAt));
  });
  return succeeded();
}

function ownQueue(id: string, { endpointType, entityId, name }: Target, createdAt: number): OwnQueue {
  return { id, endpointType, resourceId: entityId, name, createdAt };
}

function queuedMessage(
  message: ResourceMessage | DeadLetterMessage,
  queue: string,
  now: number,
  jar: EventsJar,
): QueuedMessage {
  const { 'content-type': contentType = JSON_TYPE, ...headers } = message.headers ?? {};
  const [properties, secrets] =
    'blob' in message ? [{ blob: message.blob }, {}] : propertiesOf(headers, message.destination);
  const expiresAt = 'blob' in message ? undefined : expiryOf(message.destination, now);
  return {
    queue,
    body: message.body,
    contentType,
    properties,
    ...(Object.keys(secrets).length > 0 && { sealed: jar.vault.seal(JSON.stringify(secrets)) }),
    enqueuedAt: now,
    ...(expiresAt !== undefined && { expiresAt }),
    visibleAt: now,
    dequeueCount: 0,
  };
}

type Texts = Record<string, string>;

/**
 * Delivery attributes under the names that the subscription gives them, secret ones separately; for an alert, also its severity,
 * description and action groups.
 */
function propertiesOf(headers: Readonly<Texts>, { properties }: Destination): [Texts, Texts] {
  const mappings = new Map((properties.deliveryAttributeMappings ?? []).map((each) => [each.name.toLowerCase(), each]));
  const [open, secret]: [Texts, Texts] = [{}, {}];
  for (const [name, value] of Object.entries(headers)) {
    const mapping = mappings.get(name.toLowerCase());
    (mapping?.properties.isSecret ? secret : open)[mapping?.name ?? name] = value;
  }
  const { severity, description, actionGroups } = properties;
  if (severity !== undefined) open.severity = severity;
  if (description !== undefined) open.description = description;
  if (actionGroups !== undefined) open.actionGroups = actionGroups.join(',');
  return [open, secret];
}

function expiryOf({ endpointType, properties }: Destination, now: number): number | undefined {
  const byDefault = endpointType === 'StorageQueue' ? DEFAULT_TTL_SECONDS : undefined;
  const { queueMessageTimeToLiveInSeconds: seconds = byDefault } = properties;
  return seconds === undefined || seconds < 0 ? undefined : now + seconds * SECOND;
}
