import { Type } from 'typebox';
import { managementGroupIn, resourceKey } from '../../../kernel/arm/index.ts';
import { tenants } from '../../../kernel/auth/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { readAll } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { type EventSubscription, eventSubscriptions, scopeKey } from '../collections.ts';
import { readTime } from '../forms/times.ts';
import { type EventsJar, routeCode } from '../jar.ts';
import { definitionView, shownDefinition } from '../subscriptions/view.ts';
import { eventControlErrors } from './errors.ts';

const Optional = Type.Optional;
const Text = { type: 'Edm.String' } as const;
const Instant = { type: 'Edm.DateTimeOffset' } as const;

const LONGEST_SHOWN = 300;

const destinationOf = (it: EventSubscription) => shownDefinition(it)?.destination;

/** Where events go: an address without its query, or the id of a resource. */
function endpointOf(subscription: EventSubscription): string | undefined {
  const { endpointBaseUrl, resourceId } = destinationOf(subscription)?.properties ?? {};
  return endpointBaseUrl ?? resourceId;
}

function expiryOf(subscription: EventSubscription): number | undefined {
  const time = shownDefinition(subscription)?.expirationTimeUtc;
  return time === undefined ? undefined : readTime(time);
}

const shape = entityShape({
  name: 'event subscriptions',
  collection: eventSubscriptions,
  properties: {
    id: { ...Text, ignoreCase: true },
    name: { ...Text, field: 'name', ignoreCase: true },
    topic: { ...Text, ignoreCase: true },
    topicType: { ...Text, field: 'topicType', ignoreCase: true },
    location: { ...Text, field: 'location' },
    state: { ...Text, read: ({ provisioningState }: EventSubscription) => provisioningState },
    isLive: { type: 'Edm.Boolean', field: 'isLive' },
    endpointType: { ...Text, read: (it: EventSubscription) => destinationOf(it)?.endpointType },
    endpoint: { ...Text, read: endpointOf },
    createdAt: Instant,
    changedAt: Instant,
    expiresAt: { ...Instant, read: expiryOf },
  },
  scan: 'bounded',
});

const Filter = Type.Object({
  subjectBeginsWith: Type.String(),
  subjectEndsWith: Type.String(),
  isSubjectCaseSensitive: Optional(Type.Boolean()),
  includedEventTypes: Optional(Type.Array(Type.String())),
  enableAdvancedFilteringOnArrays: Optional(Type.Boolean()),
  advancedFilters: Optional(
    Type.Array(
      Type.Object({
        operatorType: Type.String(),
        key: Type.String(),
        value: Optional(Type.Unknown()),
        values: Optional(Type.Array(Type.Unknown())),
      }),
    ),
  ),
});

const SubscriptionView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  topic: Type.String({ description: 'The id of the scope whose events it gets' }),
  topicType: Type.String(),
  location: Type.String(),
  tenantId: Optional(Type.String({ description: 'Of the management group, if the scope is one' })),
  state: Type.String(),
  isLive: Type.Boolean({
    description: 'Whether a definition is in force; the shown one may still wait for its endpoint',
  }),
  endpointType: Optional(Type.String()),
  endpoint: Optional(
    Type.String({ description: 'The address without its query, which may hold a secret, or the id of a resource' }),
  ),
  createdAt: Type.String(),
  changedAt: Type.String(),
  expiresAt: Optional(Type.String()),
  filter: Optional(Filter),
  eventDeliverySchema: Optional(Type.String()),
  retryPolicy: Optional(Type.Object({ maxDeliveryAttempts: Type.Integer(), eventTimeToLiveInMinutes: Type.Integer() })),
  deadLetter: Optional(Type.Object({ resourceId: Type.String(), blobContainerName: Type.String() })),
  properties: Type.Unknown({ description: 'The definition as the management API shows it, without secrets' }),
});

export const listSubscriptions = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(SubscriptionView) },
  handle: (call) => listAnswer(call, { shape, view: ({ value }) => subscriptionView(value) }),
});

export const getSubscription = routeCode(['id'], {
  responses: { 200: SubscriptionView },
  async handle({ jar, params: { id } }) {
    for (const key of await keysOf(jar, id)) {
      const stored = await jar.store.get(eventSubscriptions, key);
      if (stored) return ok(subscriptionView(stored.value));
    }
    throw eventControlErrors.NoSuchSubscription({ id: id.slice(0, LONGEST_SHOWN) });
  },
});

/** Names of management groups are unique only within a tenant, so that each tenant may have the subscription. */
async function keysOf(jar: EventsJar, id: string): Promise<readonly string[]> {
  const key = resourceKey(id, jar.config.namespace);
  const [scope = key] = key.split('/providers/vendor.eventgrid/');
  if (managementGroupIn(scope, jar.config.namespace) === undefined) return [key];
  return (await readAll(jar.store, tenants)).map(({ value }) => scopeKey(key, value.id));
}

function subscriptionView(subscription: EventSubscription) {
  const { id, name, topic, topicType, location, tenantId, provisioningState, live, createdAt, changedAt } =
    subscription;
  const definition = shownDefinition(subscription);
  const endpoint = endpointOf(subscription);
  const expiresAt = expiryOf(subscription);
  const { filter, eventDeliverySchema, retryPolicy, deadLetter, destination } = definition ?? {};
  return {
    id,
    name,
    topic,
    topicType,
    location,
    ...(tenantId !== undefined && { tenantId }),
    state: provisioningState,
    isLive: live !== undefined,
    ...(destination && { endpointType: destination.endpointType }),
    ...(endpoint !== undefined && { endpoint }),
    createdAt: isoTime(createdAt),
    changedAt: isoTime(changedAt),
    ...(expiresAt !== undefined && { expiresAt: isoTime(expiresAt) }),
    ...(filter && { filter }),
    ...(eventDeliverySchema && { eventDeliverySchema }),
    ...(retryPolicy && { retryPolicy }),
    ...(deadLetter && { deadLetter: deadLetter.properties }),
    properties: definition ? definitionView(definition, 'Vendor') : null,
  };
}
