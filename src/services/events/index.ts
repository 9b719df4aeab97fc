import { MANAGEMENT } from '../../kernel/arm/family.ts';
import { wholeService } from '../../kernel/whole-service.ts';
import {
  accessKeys,
  domainTopics,
  endpoints,
  eventSubscriptions,
  intakes,
  ownQueues,
  queuedMessages,
  scopes,
  tracePages,
} from './collections.ts';
import { EVENT_CONTROL } from './control/routes.ts';
import { EVENT_POLICIES } from './delivering/policies.ts';
import { hybridSocket } from './destinations/hybrid-route.ts';
import { MANAGEMENT_EVENTS } from './followers.ts';
import { validationRoutes } from './handshake/routes.ts';
import { EVENT_AUDIENCES } from './publish/audiences.ts';
import { EVENT_DATA } from './publish/family.ts';
import { PUBLISH_LIMITS } from './publish/limits.ts';
import { publishRoutes } from './publish/routes.ts';
import { checkSettings } from './settings.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';
import { SUBSCRIPTION_LIMITS, SUBSCRIPTION_TYPES } from './subscriptions/types.ts';
import { topicRoutes } from './topics/routes.ts';
import { TOPIC_LIMITS, TOPIC_TYPES } from './topics/types.ts';
import { EVENT_WORK } from './work.ts';

/** Event subscriptions, topics and domains: what happens is delivered to whoever subscribed to it. */
export const EVENTS = wholeService({
  name: 'events',
  title: 'Events',
  family: MANAGEMENT,
  mounts: [],
  routes: [...subscriptionRoutes, ...topicRoutes],
  control: EVENT_CONTROL,
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
  ],
  limits: [...TOPIC_LIMITS, ...SUBSCRIPTION_LIMITS],
  deliveries: EVENT_POLICIES,
  follows: [MANAGEMENT_EVENTS],
  resourceTypes: [...TOPIC_TYPES, ...SUBSCRIPTION_TYPES],
  work: EVENT_WORK,
  async open(jar) {
    await checkSettings(jar);
    return { close: async () => {} };
  },
});

/** Where events are published, and where endpoints agree to get them: another API than management, with keys of its own. */
export const EVENT_PUBLISHING = wholeService({
  name: 'event-publishing',
  title: 'Publishing of events',
  family: EVENT_DATA,
  mounts: ['/events', '/eventsubscriptions', '/$hc'],
  routes: [...publishRoutes, ...validationRoutes],
  limits: PUBLISH_LIMITS,
  audiences: EVENT_AUDIENCES,
  sockets: [hybridSocket],
});
