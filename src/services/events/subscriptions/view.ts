import { withPrefix } from '../../../kernel/arm/index.ts';
import type { EventSubscription } from '../collections.ts';
import type { DeadLetterDestination, Definition, Destination, UsedIdentity } from '../definition.ts';
import { PARTNER_TOPIC_CHILD_TYPE } from './types.ts';

/** What is shown of a subscription: what was asked for last, whether it is in force yet or not. */
export const shownDefinition = ({ pending, live, failed }: EventSubscription): Definition | undefined =>
  pending?.definition ?? live ?? failed;

export function subscriptionView(subscription: EventSubscription, prefix: string): Record<string, unknown> {
  const { id, name, type, topic, provisioningState, systemData } = subscription;
  const definition = shownDefinition(subscription);
  return {
    id: withPrefix(id, prefix),
    name,
    type: withPrefix(type, prefix),
    ...(systemData !== undefined && { systemData }),
    properties: {
      topic: topicView(topic, prefix),
      provisioningState,
      ...(definition && definitionView(definition, prefix)),
    },
  };
}

/** Answers to writes below partner topics name the type of another parent, as those of the real service do. */
export const writtenView = (view: Record<string, unknown>, { type }: EventSubscription): Record<string, unknown> =>
  type === PARTNER_TOPIC_CHILD_TYPE
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
export function definitionView(definition: Definition, prefix: string): Record<string, unknown> {
  const { destination, identity, deadLetter, deadLetterIdentity, expirationTimeUtc } = definition;
  const to = destination && destinationView(destination, prefix);
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
    filter: definition.filter,
    labels: definition.labels ?? [],
    ...(expirationTimeUtc !== undefined && { expirationTimeUtc }),
    eventDeliverySchema: definition.eventDeliverySchema,
    retryPolicy: definition.retryPolicy,
  };
}

function destinationView({ endpointType, properties }: Destination, prefix: string): Record<string, unknown> {
  const { resourceId, actionGroups } = properties;
  return {
    endpointType,
    properties: {
      ...(endpointType === 'WebHook' && { endpointUrl: null }),
      ...properties,
      ...(resourceId !== undefined && { resourceId: withPrefix(resourceId, prefix) }),
      ...(actionGroups && { actionGroups: actionGroups.map((id) => withPrefix(id, prefix)) }),
    },
  };
}

const deadLetterView = ({ endpointType, properties }: DeadLetterDestination, prefix: string) => ({
  endpointType,
  properties: { ...properties, resourceId: withPrefix(properties.resourceId, prefix) },
});

const identityView = ({ type, userAssignedIdentity }: UsedIdentity, prefix: string) => ({
  type,
  ...(userAssignedIdentity !== undefined && { userAssignedIdentity: withPrefix(userAssignedIdentity, prefix) }),
});
