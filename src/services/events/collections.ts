import type { Origin } from '../../kernel/arm/index.ts';
import { boolean, collection, type Json, number, text } from '../../kernel/store/index.ts';
import type { TracePage } from '../../kernel/traces/index.ts';
import type { Definition } from './definition.ts';
import type { GridEvent, Publication } from './event.ts';
import { newKeys } from './new-keys.ts';
import { withBaseAddress, withoutSecrets } from './travel.ts';

export type ProvisioningState = 'Creating' | 'Updating' | 'Succeeded' | 'Failed' | 'AwaitingManualAction';

/** A definition that is not in force yet: the endpoint has to agree first. */
export interface Pending {
  readonly definition: Definition;
  /** What its caller polls, and who that is. */
  readonly operation: string;
  readonly origin: Origin;
  /** What the endpoint has to say back, unless it agrees by a call to the jar; absent where no endpoint has to be asked. */
  readonly validation?: { readonly code: string };
  readonly since: number;
}

export interface EventSubscription {
  /** With the casing of the first write and the canonical provider prefix; `subscriptionKey` makes the key of it. */
  readonly id: string;
  readonly name: string;
  /** `Vendor.EventGrid/eventSubscriptions`, or that of a nested twin, `Vendor.EventGrid/topics/eventSubscriptions`. */
  readonly type: string;
  /** The id of what it is for: a management group, a subscription, a group, a resource, a topic, a domain or a topic of a domain. */
  readonly topic: string;
  /** Absent where it is for a management group, which is in no subscription. */
  readonly subscriptionId?: string;
  /** Of the management group that it is for; absent otherwise. */
  readonly tenantId?: string;
  readonly resourceGroup?: string;
  /** `Vendor.EventGrid.Topics`, `Vendor.Resources.Subscriptions`, … */
  readonly topicType: string;
  /** Of what it is for; `global` for subscriptions and groups. */
  readonly location: string;
  readonly provisioningState: ProvisioningState;
  /** The provider prefix that its last writer used: ids and types in what it gets are spoken in the same way. `Vendor` when absent. */
  readonly prefix?: string;
  /** In force: events are matched and delivered by it. Absent until an endpoint has agreed for the first time. */
  readonly live?: Definition;
  readonly pending?: Pending;
  /** The definition of a creation that failed: shown, never used. */
  readonly failed?: Definition;
  /** From when on events are for it. */
  readonly liveSince?: number;
  /** Of a web hook for CloudEvents: requests a minute that its endpoint agreed to. Absent: as many as there are. */
  readonly allowedRate?: number;
  /** Who made it and who changed it last, as it is shown. */
  readonly systemData?: Json;
  readonly createdAt: number;
  readonly changedAt: number;
  /** The key that it has by now; only within the transaction that moves it. */
  readonly movedTo?: string;
}

const lower = (value: string): string => value.toLowerCase();

/** The key of what events are for: its id in lower case. Names of management groups are unique in their tenant only. */
export const scopeKey = (id: string, tenantId?: string): string =>
  lower(tenantId === undefined ? id : `/tenants/${tenantId}${id}`);

type Placed = Pick<EventSubscription, 'topic' | 'tenantId'>;

/** The key of what a subscription is for. */
export const scopeKeyOf = ({ topic, tenantId }: Placed): string => scopeKey(topic, tenantId);

/** The key of a subscription. */
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
      'Queries of endpoint addresses and secret delivery attributes are gone: events go to the address without them until the subscription is PUT again',
    name: ({ name }) => name,
    remove: withoutSecrets,
    renew: (subscription, sealer, key) => [key, withBaseAddress(subscription, sealer)],
  },
});

/**
 * One for each scope that has or had subscriptions, written anew with every change to one of them: whoever holds an index of a scope
 * sees by its etag whether that is still true, and whoever publishes reads it in their transaction, so that no change slips between.
 */
export interface Scope {
  readonly subscriptions: number;
}

/** The key is that of the scope. */
export const scopes = collection<Scope>('events.scopes', { cached: true });

/** Access keys of a topic or a domain, sealed; the key is that of the resource. */
export interface AccessKeys {
  readonly key1: string;
  readonly key2: string;
}

export const accessKeys = collection<AccessKeys>('events.keys', {
  cached: true,
  secrets: {
    what: 'access keys of topics and domains',
    afterwards: 'New ones were made, which listKeys shows',
    remove: () => ({ key1: '', key2: '' }),
    renew: (keys, sealer, key) => [key, keys.key1 === '' ? newKeys(sealer) : keys],
  },
});

/** Where to publish: names are unique in a region, for topics and domains together. The key is `region/name` in lower case. */
export interface Endpoint {
  /** Of the topic or domain. */
  readonly resourceKey: string;
}

export const endpoints = collection<Endpoint>('events.endpoints', { cached: true });

/** The source of system topics: it has one of each topic type. The key is that of the source. */
export interface SystemTopicSource {
  /** Keys of the system topics, by their topic types. */
  readonly systemTopics: Readonly<Record<string, string>>;
}

export const systemTopicSources = collection<SystemTopicSource>('events.system_topic_sources', { cached: true });

/** A topic of a domain; the key is its id in lower case. */
export interface DomainTopic {
  readonly id: string;
  readonly name: string;
  /** Key of the domain. */
  readonly domain: string;
  /** Made by its first subscription or first event, rather than by a PUT. */
  readonly isAutomatic: boolean;
  readonly createdAt: number;
}

export const domainTopics = collection<DomainTopic>('events.domain_topics', {
  fields: { name: text((it) => lower(it.name)) },
  cached: true,
});

/** A message in one of the jar's own queues, which stand in for brokers and storage that are not configured. */
export interface QueuedMessage {
  readonly queue: string;
  readonly body: string;
  readonly contentType: string;
  readonly properties: Readonly<Record<string, string>>;
  /** Those of secret delivery attributes, as JSON text. */
  readonly sealed?: string;
  readonly enqueuedAt: number;
  /** Absent: never. */
  readonly expiresAt?: number;
  /** Hidden from others until then, since somebody has received it. */
  readonly visibleAt: number;
  readonly dequeueCount: number;
  /** Proof of having received it; changes every time. */
  readonly receipt?: string;
}

/** The key is `queue/delivery id`: a message that is delivered again is the same message. */
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

/** What became of one published event: for whom it was, and why not for others. */
export interface Trace {
  readonly at: number;
  /** Id of the topic (or scope) that it was published to. */
  readonly topic: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly subject: string;
  /** Subscriptions that it went to, with the ids of the deliveries. */
  readonly matched: readonly { readonly subscription: string; readonly delivery: string }[];
  /** How many subscriptions of its scopes it was not for. */
  readonly refused: number;
  /** The event as filters saw it, so that the reasons can be told; absent where there is none to tell, or it was large. */
  readonly event?: GridEvent;
}

/** Events that came in together are one document, since every write is paid for by whoever publishes. The key is ordered by time. */
export const tracePages = collection<TracePage<Trace>>('events.traces');

/** Events that go to more subscriptions than one commit should write: acknowledged, and handed on in steps. */
export interface Intake {
  readonly publications: readonly Publication[];
  readonly at: number;
  /** How many of them have been handed on. */
  readonly done: number;
}

export const intakes = collection<Intake>('events.intakes');
