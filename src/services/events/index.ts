import { MANAGEMENT } from '../../kernel/arm/index.ts';
import type { Service, ServiceApi } from '../../kernel/service/index.ts';
import {
  accessKeys,
  domainTopics,
  endpoints,
  eventSubscriptions,
  intakes,
  ownQueues,
  queuedMessages,
  scopes,
  systemTopicSources,
  tracePages,
} from './collections.ts';
import { FAN_OUT, PRUNE_TRACES } from './delivering/work.ts';
import { EXPIRY_WORK } from './destinations/expiry-item.ts';
import { HYBRID_SOCKET } from './destinations/hybrid-route.ts';
import { MANAGEMENT_EVENTS } from './followers.ts';
import { HANDSHAKE, NOTICE } from './handshake/policy-names.ts';
import { channels } from './partners/collections.ts';
import { PARTNER_TYPES } from './partners/kinds.ts';
import { PARTNER_LIMITS } from './partners/limits.ts';
import { EXPIRE_PARTNER } from './partners/work.ts';
import { PRIVATE_LINK_TYPES } from './private-links/kinds.ts';
import { EVENT_AUDIENCES } from './publish/audiences.ts';
import { EVENT_DATA } from './publish/family.ts';
import { PUBLISH_LIMITS } from './publish/limits.ts';
import { EVENT_SETTINGS } from './settings-table.ts';
import { SUBSCRIPTION_LIMITS, SUBSCRIPTION_TYPES } from './subscriptions/types.ts';
import { DEADLINE, EXPIRE, SETTLE } from './subscriptions/work-items.ts';
import { EXTENSION_TOPIC, SYSTEM_TOPIC } from './system-topics/kind.ts';
import { TOPIC_LIMITS, TOPIC_TYPES } from './topics/types.ts';
import { FINISH } from './topics/work.ts';
import { NAMESPACE } from './versions.ts';

/** Publishing of events and confirmation by endpoints: an API of its own beside management, with its own keys. */
export const EVENT_PUBLISHING: ServiceApi = {
  name: 'event-publishing',
  title: 'Publishing of events',
  family: EVENT_DATA,
  mounts: ['/events', '/eventsubscriptions', '/$hc'],
  claims: ['/api/events'],
  limits: PUBLISH_LIMITS,
  audiences: EVENT_AUDIENCES,
  sockets: [HYBRID_SOCKET],
};

/** Event subscriptions, topics and domains: delivers events to their subscribers. */
export const EVENTS: Service = {
  name: 'events',
  title: 'Events',
  family: MANAGEMENT,
  mounts: [],
  claims: [`/providers/${NAMESPACE}`],
  apis: [EVENT_PUBLISHING],
  collections: [
    eventSubscriptions,
    scopes,
    accessKeys,
    endpoints,
    domainTopics,
    queuedMessages,
    ownQueues,
    tracePages,
    intakes,
    channels,
    systemTopicSources,
  ],
  limits: [...TOPIC_LIMITS, ...SUBSCRIPTION_LIMITS, ...PARTNER_LIMITS],
  policies: ['events.webhook', 'events.resource', 'events.dead-letter', HANDSHAKE, NOTICE],
  follows: [MANAGEMENT_EVENTS],
  movesWithResources: true,
  resourceTypes: [
    ...TOPIC_TYPES,
    SYSTEM_TOPIC,
    EXTENSION_TOPIC,
    ...SUBSCRIPTION_TYPES,
    ...PARTNER_TYPES,
    ...PRIVATE_LINK_TYPES,
  ],
  work: [FINISH, SETTLE, DEADLINE, EXPIRE, FAN_OUT, PRUNE_TRACES, EXPIRY_WORK, EXPIRE_PARTNER],
  settings: {
    changeable: EVENT_SETTINGS,
    load: async () => (await import('./settings-schema.ts')).settingsRules,
  },
  open: async (jar) => (await import('./open.ts')).openEvents(jar),
};
