import { armFacts, withPrefix } from '../../../kernel/arm/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { pathsOf, shownSystemData, withoutDefaults } from '../answers.ts';
import type { EventSubscription } from '../collections.ts';
import type {
  AdvancedFilter,
  AttributeMapping,
  DeadLetterDestination,
  Definition,
  Destination,
  EndpointType,
  EventFilter,
  Secrets,
  UsedIdentity,
} from '../definition.ts';
import type { EventsCall } from '../jar.ts';
import { parentKindOf } from './parent-kinds.ts';
import { HIDDEN } from './read/attributes.ts';

/** The definition that answers show: the latest one requested, whether it is in force yet or not. */
export const shownDefinition = ({ pending, live, failed }: EventSubscription): Definition | undefined =>
  pending?.definition ?? live ?? failed;

type Shown = Pick<EventsCall, 'facts'>;

export function subscriptionView(
  call: Shown,
  subscription: EventSubscription,
  answered?: Answered,
): Record<string, unknown> {
  const { prefix } = armFacts(call);
  const { id, name, type, topic, provisioningState, systemData } = subscription;
  const definition = shownDefinition(subscription);
  const asIs = parentKindOf(type)?.showsTopicAsIs;
  return {
    properties: {
      topic: asIs ? withPrefix(topic, prefix) : topicView(topic, prefix),
      provisioningState,
      ...(definition && definitionView(definition, prefix, answered?.sentAttributes)),
    },
    systemData: shownSystemData(call, systemData, answered !== undefined),
    id: withPrefix(id, prefix),
    name,
    type: withPrefix(type, prefix),
  };
}

/** Defaults of destinations that accept batches. */
const BATCHES = { maxEventsPerBatch: 1, preferredBatchSizeInKilobytes: 64 };
const BATCHED: readonly EndpointType[] = ['WebHook', 'AzureFunction'];

/** What only the answer to a PUT needs. */
interface Answered {
  readonly sent: unknown;
  readonly sentAttributes: Plain;
}

const DEFAULTED = pathsOf(
  'properties.eventDeliverySchema',
  'properties.retryPolicy',
  'properties.filter.subjectBeginsWith',
  'properties.filter.subjectEndsWith',
  ...['properties.destination', 'properties.deliveryWithResourceIdentity.destination'].flatMap((place) =>
    Object.keys(BATCHES).map((name) => `${place}.properties.${name}`),
  ),
);

/** The answer to a PUT: shows what was sent, including the values of secret delivery attributes. */
export const putView = (call: Shown, subscription: EventSubscription, answered: Answered): Record<string, unknown> =>
  withoutDefaults(subscriptionView(call, subscription, answered), answered.sent, DEFAULTED);

/** Answers to writes below partner topics show another parent type, as in the real service. */
export function writtenView(
  call: Shown,
  view: Record<string, unknown>,
  { type, topic }: EventSubscription,
): Record<string, unknown> {
  if (!parentKindOf(type)?.writesNameSystemTopics) return view;
  const properties = isObject(view.properties) ? view.properties : {};
  return {
    ...view,
    properties: { ...properties, topic: withPrefix(topic, armFacts(call).prefix) },
    type: String(view.type).replace('/partnerTopics/', '/systemTopics/'),
  };
}

/** As in the real service: provider and types in lower case, names unchanged. */
function topicView(topic: string, prefix: string): string {
  return withPrefix(topic, prefix).replace(/(\/providers\/)([^/]+)(\/.*)$/, (_, before, namespace, rest) => {
    const parts = String(rest)
      .split('/')
      .map((part, i) => (i % 2 === 1 ? part.toLowerCase() : part));
    return `${before}${String(namespace).toLowerCase()}${parts.join('/')}`;
  });
}

/** The members of `properties` that a client may also send: what a client reads here can be sent back. */
export function definitionView(definition: Definition, prefix: string, plain?: Plain): Record<string, unknown> {
  const { destination, identity, deadLetter, deadLetterIdentity, expirationTimeUtc } = definition;
  const to = destination && destinationView(destination, prefix, plain);
  const dead = deadLetter && deadLetterView(deadLetter, prefix);
  return {
    ...(to && !identity && { destination: to }),
    ...(to &&
      identity && {
        deliveryWithResourceIdentity: { identity: identityView(identity, prefix), destination: to },
      }),
    ...(dead && !deadLetterIdentity && { deadLetterDestination: dead }),
    ...(dead &&
      deadLetterIdentity && {
        deadLetterWithResourceIdentity: {
          identity: identityView(deadLetterIdentity, prefix),
          deadLetterDestination: dead,
        },
      }),
    filter: filterView(definition.filter),
    labels: definition.labels ?? null,
    ...(expirationTimeUtc !== undefined && { expirationTimeUtc }),
    eventDeliverySchema: definition.eventDeliverySchema,
    retryPolicy: definition.retryPolicy,
  };
}

/** Values of secret delivery attributes that may be shown, by name in lower case. */
type Plain = NonNullable<Secrets['attributes']>;

const filterView = ({ isSubjectCaseSensitive, advancedFilters, ...filter }: EventFilter): Record<string, unknown> => ({
  ...filter,
  ...(isSubjectCaseSensitive && { isSubjectCaseSensitive }),
  ...(advancedFilters && { advancedFilters: advancedFilters.map(advancedFilterView) }),
});

/** The real service writes the members of a specific filter before the common ones. */
const advancedFilterView = ({ operatorType, key, ...own }: AdvancedFilter) => ({ ...own, operatorType, key });

function destinationView(
  { endpointType, properties }: Destination,
  prefix: string,
  plain: Plain = {},
): Record<string, unknown> {
  const { resourceId, actionGroups, deliveryAttributeMappings: mappings } = properties;
  const { endpointBaseUrl } = properties;
  return {
    properties: {
      ...(resourceId !== undefined && { resourceId: withPrefix(resourceId, prefix) }),
      ...(endpointType === 'WebHook' && { endpointUrl: null }),
      ...(endpointBaseUrl !== undefined && { endpointBaseUrl }),
      ...(BATCHED.includes(endpointType) && BATCHES),
      ...properties,
      ...(resourceId !== undefined && { resourceId: withPrefix(resourceId, prefix) }),
      ...(mappings && { deliveryAttributeMappings: mappings.map((each) => attributeView(each, plain)) }),
      ...(actionGroups && { actionGroups: actionGroups.map((id) => withPrefix(id, prefix)) }),
    },
    endpointType,
  };
}

function attributeView({ name, type, properties }: AttributeMapping, plain: Plain): AttributeMapping {
  if (!properties.isSecret) return { properties, name, type };
  return { properties: { ...properties, value: plain[name.toLowerCase()] ?? HIDDEN }, name, type };
}

const deadLetterView = ({ endpointType, properties }: DeadLetterDestination, prefix: string) => ({
  properties: { ...properties, resourceId: withPrefix(properties.resourceId, prefix) },
  endpointType,
});

const identityView = ({ type, userAssignedIdentity }: UsedIdentity, prefix: string) => ({
  type,
  ...(userAssignedIdentity !== undefined && { userAssignedIdentity: withPrefix(userAssignedIdentity, prefix) }),
});
