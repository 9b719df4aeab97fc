import { type Jar, type OpenService, socketRoute } from '../../kernel/service/index.ts';
import { openSettings } from '../../kernel/settings/index.ts';
import { openTraces } from '../../kernel/traces/index.ts';
import { absentRoutes } from './absent/routes.ts';
import { tracePages } from './collections.ts';
import { EVENT_CONTROL } from './control/routes.ts';
import { DirectoryTokens } from './delivering/directory-token.ts';
import { fanOut } from './delivering/fan-out.ts';
import { EVENT_POLICIES } from './delivering/policies.ts';
import { pruneTraces } from './delivering/prune-traces.ts';
import { PRUNE_TRACES } from './delivering/work.ts';
import { Brokers } from './destinations/amqp/brokers.ts';
import { connectionsOf } from './destinations/connections.ts';
import * as hybrid from './destinations/hybrid/listen.ts';
import { Relay } from './destinations/hybrid/relay.ts';
import { HYBRID_SOCKET } from './destinations/hybrid-route.ts';
import { queueExpiry } from './destinations/own-queue-expiry.ts';
import { MANAGEMENT_EVENTS } from './followers.ts';
import { validationRoutes } from './handshake/routes.ts';
import { EVENT_PUBLISHING } from './index.ts';
import type { EventsJar } from './jar.ts';
import { managementEvents } from './management-events.ts';
import { ScopeIndexes } from './matching/scope-indexes.ts';
import { moveWithResource } from './moving/move.ts';
import { forgetTarget } from './partners/channel-store.ts';
import { expirePartner } from './partners/expiry.ts';
import { PARTNER_DESTINATION, PARTNER_NAMESPACE_TYPE, PARTNER_TOPIC } from './partners/kinds.ts';
import { forgetNamespace } from './partners/namespace.ts';
import { partnerRoutes } from './partners/routes.ts';
import { privateLinkRoutes } from './private-links/routes.ts';
import { publishRoutes } from './publish/routes.ts';
import { settingsOf } from './settings.ts';
import { EVENT_SETTINGS } from './settings-table.ts';
import { deadline, expire, settle } from './subscriptions/due.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';
import { SYSTEM_TOPIC } from './system-topics/kind.ts';
import { forgetSystemTopic } from './system-topics/resource.ts';
import { systemTopicRoutes } from './system-topics/routes.ts';
import { finishWrite } from './topics/finish.ts';
import { forgetPublishing } from './topics/forget.ts';
import { DOMAIN, TOPIC } from './topics/kinds.ts';
import { topicRoutes } from './topics/routes.ts';
import { DEFAULT_TRACES } from './traces.ts';

/** The jar with the state of the service. */
export function eventsJar(jar: Jar): EventsJar {
  const settings = settingsOf(jar);
  return {
    ...jar,
    connections: connectionsOf(settings),
    scopeIndexes: new ScopeIndexes(jar.config.namespace),
    directoryTokens: new DirectoryTokens(jar),
    brokers: new Brokers(jar.id),
    relay: new Relay(),
    settings: openSettings(EVENT_SETTINGS, jar),
    traces: openTraces({
      pages: tracePages,
      pruning: PRUNE_TRACES,
      kept: settings.traces ?? DEFAULT_TRACES,
      clock: jar.clock,
    }),
  };
}

export function openEvents(jar: Jar): OpenService {
  const own = eventsJar(jar);
  // At the start of closing, before due work ends: a pending send to a broker must not delay it.
  jar.closing.addEventListener('abort', () => own.brokers.close());
  return {
    jar: own,
    routes: [
      ...subscriptionRoutes,
      ...topicRoutes,
      ...systemTopicRoutes,
      ...partnerRoutes,
      ...privateLinkRoutes,
      ...absentRoutes,
    ],
    apis: {
      [EVENT_PUBLISHING.name]: {
        routes: [...publishRoutes, ...validationRoutes],
        sockets: [socketRoute({ ...HYBRID_SOCKET, admit: hybrid.admit, open: hybrid.open })],
      },
    },
    control: EVENT_CONTROL,
    settings: own.settings,
    work: [finishWrite, settle, deadline, expire, fanOut, pruneTraces, queueExpiry, expirePartner],
    policies: EVENT_POLICIES,
    followers: { [MANAGEMENT_EVENTS.name]: managementEvents },
    onDelete: {
      ...Object.fromEntries(
        [TOPIC, DOMAIN].map(({ type, quota }) => [
          type,
          (tx, resource, context: EventsJar) => forgetPublishing(tx, resource, context, quota),
        ]),
      ),
      [SYSTEM_TOPIC.type]: forgetSystemTopic,
      [PARTNER_NAMESPACE_TYPE]: forgetNamespace,
      [PARTNER_TOPIC.type]: forgetTarget,
      [PARTNER_DESTINATION.type]: forgetTarget,
    },
    onMove: moveWithResource,
    stateReplaced() {
      own.scopeIndexes.clear();
      own.directoryTokens.clear();
      own.traces.forget();
    },
  };
}
