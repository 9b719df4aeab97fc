import { armFacts, withPrefix } from '../../../kernel/arm/index.ts';
import { pathsOf, shownSystemData, withoutFilled } from '../answers.ts';
import type { EventSubscription } from '../collections.ts';
import type {
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

/** What is shown of a subscription: what was asked for last, whether it is in force yet or not. */
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
    id: withPrefix(id, prefix),
    name,
    type: withPrefix(type, prefix),
    systemData: shownSystemData(call, systemData, answered !== undefined),
    properties: {
      topic: asIs ? withPrefix(topic, prefix) : topicView(topic, prefix),
      provisioningState,
      ...(definition && definitionView(definition, prefix, answered?.sentAttributes)),
    },
  };
}

/** Of what takes several events at once. */
const BATCHES = { maxEventsPerBatch: 1, preferredBatchSizeInKilobytes: 64 };
const BATCHED: readonly EndpointType[] = ['WebHook', 'AzureFunction'];

/** Of the answer to a PUT. */
interface Answered {
  readonly sent: unknown;
  readonly sentAttributes: Plain;
}

const FILLED = pathsOf(
  'properties.eventDeliverySchema',
  'properties.retryPolicy',
  'properties.filter.subjectBeginsWith',
  'properties.filter.subjectEndsWith',
  ...['properties.destination', 'properties.deliveryWithResourceIdentity.destination'].flatMap((place) =>
    Object.keys(BATCHES).map((name) => `${place}.properties.${name}`),
  ),
);

/** The answer to a PUT: what was sent, secret delivery attributes for once as they are. */
export const putView = (call: Shown, subscription: EventSubscription, answered: Answered): Record<string, unknown> =>
  withoutFilled(subscriptionView(call, subscription, answered), answered.sent, FILLED);

/** Answers to writes below partner topics name the type of another parent, as those of the real service do. */
export const writtenView = (view: Record<string, unknown>, { type }: EventSubscription): Record<string, unknown> =>
  parentKindOf(type)?.writesNameSystemTopics
    ? { ...view, type: String(view.type).replace('/partnerTopics/', '/systemTopics/') }
    : view;

/** As the real service shows it: the provider and the types in lower case, names as they are. */
function topicView(topic: string, prefix: string): string {
  return withPrefix(topic, prefix).replace(/(\/providers\/)([^/]+)(\/.*)$/, (_, before, namespace, rest) => {
    const parts = String(rest)
      .split('/')
      .map((part, i) => (i % 2 === 1 ? part.toLowerCase() : part));
    return `${before}${String(namespace).toLowerCase()}${parts.join('/')}`;
  });
}

/** The members of `properties` that a client may also send: what is read here can be sent back. */
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

/** Values of secret delivery attributes that may be shown, by their names in lower case. */
type Plain = NonNullable<Secrets['attributes']>;

const filterView = ({ isSubjectCaseSensitive, ...filter }: EventFilter): Record<string, unknown> => ({
  ...filter,
  ...(isSubjectCaseSensitive && { isSubjectCaseSensitive }),
});

function destinationView(
  { endpointType, properties }: Destination,
  prefix: string,
  plain: Plain = {},
): Record<string, unknown> {
  const { resourceId, actionGroups, deliveryAttributeMappings: mappings } = properties;
  return {
    endpointType,
    properties: {
      ...(endpointType === 'WebHook' && { endpointUrl: null }),
      ...(BATCHED.includes(endpointType) && BATCHES),
      ...properties,
      ...(mappings && { deliveryAttributeMappings: mappings.map((each) => attributeView(each, plain)) }),
      ...(resourceId !== undefined && { resourceId: withPrefix(resourceId, prefix) }),
      ...(actionGroups && { actionGroups: actionGroups.map((id) => withPrefix(id, prefix)) }),
    },
  };
}

function attributeView(mapping: AttributeMapping, plain: Plain): AttributeMapping {
  const { name, properties } = mapping;
  if (!properties.isSecret) return mapping;
  return { ...mapping, properties: { ...properties, value: plain[name.toLowerCase()] ?? HIDDEN } };
}

const deadLetterView = ({ endpointType, properties }: DeadLetterDestination, prefix: string) => ({
  endpointType,
  properties: { ...properties, resourceId: withPrefix(properties.resourceId, prefix) },
});

const identityView = ({ type, userAssignedIdentity }: UsedIdentity, prefix: string) => ({
  type,
  ...(userAssignedIdentity !== undefined && { userAssignedIdentity: withPrefix(userAssignedIdentity, prefix) }),
});
