import type { Origin } from '../../kernel/arm/index.ts';
import { boolean, collection, type Json, number, text } from '../../kernel/store/index.ts';
import type { TracePage } from '../../kernel/traces/index.ts';
import type { Definition } from './definition.ts';
import type { GridEvent, Publication } from './event.ts';
import { newKeys } from './new-keys.ts';
import { withBaseAddress, withoutSecrets } from './travel.ts';

export type ProvisioningState = 'Creating' | 'Updating' | 'Succeeded' | 'Failed' | 'AwaitingManualAction';

/** A definition that is not in force yet: the endpoint must agree to it first. */
export interface Pending {
  readonly definition: Definition;
  /** Operation that the caller of the write polls. */
  readonly operation: string;
  readonly origin: Origin;
  /** Code that the endpoint must echo, unless it confirms by a call to the jar. Absent if the endpoint needs no validation. */
  readonly validation?: { readonly code: string };
  readonly since: number;
}

export interface EventSubscription {
  /** In the casing of the first write, with the canonical provider prefix. `subscriptionKey` makes the key from it. */
  readonly id: string;
  readonly name: string;
  /** `Vendor.EventGrid/eventSubscriptions`, or the type of a nested subscription: `Vendor.EventGrid/topics/eventSubscriptions`. */
  readonly type: string;
  /** Id of the scope: a management group, a subscription, a resource group, a resource, a topic, a domain or a topic of a domain. */
  readonly topic: string;
  /** Absent if the scope is a management group, which is in no subscription. */
  readonly subscriptionId?: string;
  /** Tenant of the management group; absent for other scopes. */
  readonly tenantId?: string;
  readonly resourceGroup?: string;
  /** `Vendor.EventGrid.Topics`, `Vendor.Resources.Subscriptions`, … */
  readonly topicType: string;
  /** Location of the scope; `global` for subscriptions and resource groups. */
  readonly location: string;
  readonly provisioningState: ProvisioningState;
  /** Provider prefix that the last writer used; ids and types in delivered events use it too. Absent: `Vendor`. */
  readonly prefix?: string;
  /** The definition in force: events are matched and delivered by it. Absent until an endpoint has agreed for the first time. */
  readonly live?: Definition;
  readonly pending?: Pending;
  /** Definition of a failed creation: shown in answers, never used for delivery. */
  readonly failed?: Definition;
  /** Events that happened before this time are not delivered. */
  readonly liveSince?: number;
  /** For CloudEvents web hooks: requests a minute that the endpoint allowed. Absent: unlimited. */
  readonly allowedRate?: number;
  /** Who created and last changed the subscription, as shown in answers. */
  readonly systemData?: Json;
  readonly createdAt: number;
  readonly changedAt: number;
  /** New key of a subscription that is being moved. Set only inside the transaction that moves it. */
  readonly movedTo?: string;
}

const lower = (value: string): string => value.toLowerCase();

/** Key of a scope: its id in lower case, with the tenant for management groups, whose names are unique only within their tenant. */
export const scopeKey = (id: string, tenantId?: string): string =>
  lower(tenantId === undefined ? id : `/tenants/${tenantId}${id}`);

type Placed = Pick<EventSubscription, 'topic' | 'tenantId'>;

export const scopeKeyOf = ({ topic, tenantId }: Placed): string => scopeKey(topic, tenantId);

export const subscriptionKey = ({ id, tenantId }: Pick<EventSubscription, 'id' | 'tenantId'>): string =>
  scopeKey(id, tenantId);

export const eventSubscriptions = collection<EventSubscription>('events.subscriptions', {
  fields: {
    scope: text(scopeKeyOf),
    subscription: text((it) => (it.subscriptionId === undefined ? undefined : lower(it.subscriptionId))),
    group: text((it) => (it.resourceGroup === undefined ? undefined : lower(it.resourceGroup))),
    location: text((it) => it.location),
    topicType: text((it) => lower(it.topicType)),
    type: text((it) => lower(it.type)),
    name: text((it) => lower(it.name)),
    isLive: boolean((it) => it.live !== undefined),
  },
  indexes: [['scope'], ['subscription', 'location']],
  cached: true,
  secrets: {
    what: 'secrets of event subscriptions',
    afterwards:
      'Queries of endpoint addresses and secret delivery attributes are lost: events are delivered without them until the subscription is PUT again',
    name: ({ name }) => name,
    remove: withoutSecrets,
    renew: (subscription, sealer, key) => [key, withBaseAddress(subscription, sealer)],
  },
});

/**
 * One document for each scope that has or had subscriptions, rewritten with every change to a subscription. Its etag shows whether a cached
 * index of the scope is still valid. Publishing reads it in its transaction, so that no concurrent change is missed.
 */
export interface Scope {
  readonly subscriptions: number;
}

/** The key is the key of the scope. */
export const scopes = collection<Scope>('events.scopes', { cached: true });

/** Access keys of a topic or a domain, sealed; the key is the key of the resource. */
export interface AccessKeys {
  readonly key1: string;
  readonly key2: string;
}

export const accessKeys = collection<AccessKeys>('events.keys', {
  cached: true,
  secrets: {
    what: 'access keys of topics and domains',
    afterwards: 'New keys were generated; listKeys shows them',
    remove: () => ({ key1: '', key2: '' }),
    renew: (keys, sealer, key) => [key, keys.key1 === '' ? newKeys(sealer) : keys],
  },
});

/** A publishing endpoint. Names are unique in a region, across topics and domains. The key is `region/name` in lower case. */
export interface Endpoint {
  /** Key of the topic or domain. */
  readonly resourceKey: string;
}

export const endpoints = collection<Endpoint>('events.endpoints', { cached: true });

/** A source of system topics: at most one system topic per topic type. The key is the key of the source. */
export interface SystemTopicSource {
  /** Keys of the system topics by topic type. */
  readonly systemTopics: Readonly<Record<string, string>>;
}

export const systemTopicSources = collection<SystemTopicSource>('events.system_topic_sources', { cached: true });

/** A topic of a domain; the key is its id in lower case. */
export interface DomainTopic {
  readonly id: string;
  readonly name: string;
  /** Key of the domain. */
  readonly domain: string;
  /** Created by its first subscription or first event, rather than by a PUT. */
  readonly isAutomatic: boolean;
  readonly createdAt: number;
}

export const domainTopics = collection<DomainTopic>('events.domain_topics', {
  fields: { name: text((it) => lower(it.name)) },
  cached: true,
});

/** A message in one of the jar's own queues, which replace brokers and storage without a configured connection. */
export interface QueuedMessage {
  readonly queue: string;
  readonly body: string;
  readonly contentType: string;
  readonly properties: Readonly<Record<string, string>>;
  /** Secret delivery attributes, sealed, as JSON text. */
  readonly sealed?: string;
  readonly enqueuedAt: number;
  /** Absent: the message does not expire. */
  readonly expiresAt?: number;
  /** The message is hidden from other receivers until this time. */
  readonly visibleAt: number;
  readonly dequeueCount: number;
  /** Changes with every receive; proves that the caller is the latest receiver. */
  readonly receipt?: string;
}

/** The key is `queue/delivery id`, so that a repeated delivery is the same message. */
export const queuedMessages = collection<QueuedMessage>('events.queued', {
  fields: {
    queue: text((it) => it.queue),
    visibleAt: number((it) => it.visibleAt),
    enqueuedAt: number((it) => it.enqueuedAt),
    expiresAt: number((it) => it.expiresAt),
  },
  indexes: [
    ['queue', 'enqueuedAt'],
    ['queue', 'expiresAt'],
  ],
});

export interface OwnQueue {
  readonly id: string;
  readonly endpointType: string;
  readonly resourceId: string;
  readonly name: string;
  readonly createdAt: number;
}

export const ownQueues = collection<OwnQueue>('events.queues', { cached: true });

/** Outcome of one published event: the subscriptions that it was delivered to, and why others did not match. */
export interface Trace {
  readonly at: number;
  /** Id of the topic or scope that the event was published to. */
  readonly topic: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly subject: string;
  /** Matching subscriptions, each with the id of its delivery. */
  readonly matched: readonly { readonly subscription: string; readonly delivery: string }[];
  /** Number of subscriptions of its scopes that do not match. */
  readonly refused: number;
  /** The event as filters saw it, to explain why subscriptions did not match. Absent if all matched or the event was large. */
  readonly event?: GridEvent;
}

/** Events that are published together share one document, since the publisher waits for every write. The key is ordered by time. */
export const tracePages = collection<TracePage<Trace>>('events.traces');

/** Acknowledged events that match more subscriptions than one commit should write; their deliveries are queued in steps. */
export interface Intake {
  readonly publications: readonly Publication[];
  readonly at: number;
  /** Number of publications whose deliveries are queued. */
  readonly done: number;
}

export const intakes = collection<Intake>('events.intakes');
