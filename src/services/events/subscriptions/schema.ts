import { Type } from 'typebox';

const Optional = Type.Optional;
const AnyObject = Type.Object({});

/** Only describes the members: each is validated by its own rules, which report all mistakes at once. */
const DEFINITION = {
  destination: Optional(Type.Unknown({ description: '`endpointType` and `properties` of the destination' })),
  deliveryWithResourceIdentity: Optional(
    Type.Unknown({ description: '`identity` and `destination`: the same, with an identity of the parent' }),
  ),
  deadLetterDestination: Optional(Type.Unknown({ description: 'Destination of undeliverable events' })),
  deadLetterWithResourceIdentity: Optional(
    Type.Unknown({ description: '`identity` and `deadLetterDestination`: the same, with an identity of the parent' }),
  ),
  filter: Optional(Type.Unknown({ description: 'Which events to deliver; default: all' })),
  labels: Optional(Type.Unknown({ description: 'Free texts' })),
  expirationTimeUtc: Optional(Type.Unknown({ description: 'Time at which the subscription expires' })),
  eventDeliverySchema: Optional(
    Type.Unknown({ description: 'EventGridSchema, CloudEventSchemaV1_0 or CustomInputSchema' }),
  ),
  retryPolicy: Optional(Type.Unknown({ description: '`maxDeliveryAttempts` and `eventTimeToLiveInMinutes`' })),
};

export const PutBody = Type.Object({ properties: Optional(Type.Unknown()) });
export const PatchBody = Type.Object({ ...DEFINITION, properties: Optional(Type.Unknown()) });

const RetryPolicy = Type.Object({ maxDeliveryAttempts: Type.Integer(), eventTimeToLiveInMinutes: Type.Integer() });

const EndpointView = Type.Object({ endpointType: Type.String(), properties: AnyObject });

export const SubscriptionView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  systemData: Optional(Type.Union([AnyObject, Type.Null()])),
  properties: Type.Object({
    topic: Type.String(),
    provisioningState: Type.Enum(['Creating', 'Updating', 'Succeeded', 'Failed', 'AwaitingManualAction']),
    destination: Optional(EndpointView),
    deliveryWithResourceIdentity: Optional(Type.Object({ identity: AnyObject, destination: EndpointView })),
    deadLetterDestination: Optional(EndpointView),
    deadLetterWithResourceIdentity: Optional(Type.Object({ identity: AnyObject, deadLetterDestination: EndpointView })),
    filter: AnyObject,
    labels: Type.Union([Type.Array(Type.String()), Type.Null()]),
    expirationTimeUtc: Optional(Type.String()),
    eventDeliverySchema: Optional(Type.String()),
    retryPolicy: Optional(RetryPolicy),
  }),
});

export const ListView = Type.Object({ value: Type.Array(SubscriptionView), nextLink: Optional(Type.String()) });
export const FullUrlView = Type.Object({ endpointUrl: Type.String() });
export const AttributesView = Type.Object({
  value: Type.Array(Type.Object({ name: Type.String(), type: Type.String(), properties: AnyObject })),
});
