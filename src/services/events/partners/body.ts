import { bodyFields, type Field, readBody, type ValueOf } from '../../../kernel/arm/body/index.ts';
import type { ArmFacts } from '../../../kernel/arm/index.ts';
import { readTime } from '../forms/times.ts';
import type { EventsCall } from '../jar.ts';
import { IDENTITY, INBOUND_IP_RULES, invalid, TLS_VERSION, TOPIC_WORDING } from '../topics/body.ts';
import { CHANNEL_NAME, CHANNEL_NAME_RULE } from './names.ts';

/** Request bodies of partner resources. */

const { object, text, word, boolean, integer, list, json, time, resourceId } = bodyFields();

export const ROUTING_MODES = ['SourceEventAttribute', 'ChannelNameHeader'] as const;
const VISIBILITIES = ['Hidden', 'PublicPreview', 'GenerallyAvailable'] as const;
/** Maximum number of partners that one configuration authorizes. */
export const MOST_AUTHORIZED = 1000;
const MOST_DAYS = 365;

const required = { required: true } as const;
const name = text({ ...required, pattern: CHANNEL_NAME, rule: CHANNEL_NAME_RULE });
const TIME = time({ parse: readTime });

export const REGISTRATION_BODY = object({
  properties: object({
    partnerName: text(),
    partnerResourceTypeName: text(),
    partnerResourceTypeDisplayName: text(),
    partnerResourceTypeDescription: text(),
    longDescription: text(),
    partnerCustomerServiceNumber: text(),
    partnerCustomerServiceExtension: text(),
    customerServiceUri: text(),
    setupUri: text(),
    logoUri: text(),
    visibilityState: word(VISIBILITIES, { default: 'Hidden' }),
    authorizedAzureSubscriptionIds: list(text()),
  }),
});

/** Members of a partner namespace; a PUT needs its registration, in a PATCH every member is optional. */
const NAMESPACE_MEMBERS = {
  publicNetworkAccess: word(['Enabled', 'Disabled', 'SecuredByPerimeter']),
  inboundIpRules: INBOUND_IP_RULES,
  disableLocalAuth: boolean(),
  minimumTlsVersionAllowed: TLS_VERSION,
};

export const NAMESPACE_BODY = object({
  properties: object(
    {
      partnerRegistrationFullyQualifiedId: resourceId('Vendor.EventGrid/partnerRegistrations', required),
      partnerTopicRoutingMode: word(ROUTING_MODES),
      ...NAMESPACE_MEMBERS,
    },
    { implied: true },
  ),
});
export const NAMESPACE_PATCH = object({ properties: object(NAMESPACE_MEMBERS) });

export const PARTNER = object({
  partnerRegistrationImmutableId: text(),
  partnerName: text(),
  authorizationExpirationTimeInUtc: TIME,
});

const DAYS = integer({ min: 1, max: MOST_DAYS });

export const CONFIGURATION_BODY = object({
  properties: object({
    partnerAuthorization: object({
      defaultMaximumExpirationTimeInDays: DAYS,
      authorizedPartnersList: list(PARTNER, { max: MOST_AUTHORIZED }),
    }),
  }),
});
export const CONFIGURATION_PATCH = object({ properties: object({ defaultMaximumExpirationTimeInDays: DAYS }) });

/** Body for the customer's resources: their events and addresses are set by the partner. */
export const IDENTITY_BODY = object({ identity: IDENTITY });

const EVENT_TYPES = json();

const CLIENT_AUTHENTICATION = object({
  clientAuthenticationType: word(['AzureAD'], required),
  properties: object(
    {
      azureActiveDirectoryTenantId: text(required),
      azureActiveDirectoryApplicationIdOrUri: text(required),
    },
    required,
  ),
});

const ENDPOINT = object({
  endpointUrl: text(),
  endpointBaseUrl: text(),
  clientAuthentication: CLIENT_AUTHENTICATION,
});

const COMMON = { expirationTimeIfNotActivatedUtc: TIME, messageForActivation: text() };

export const CHANNEL_BODY = object({
  properties: object(
    {
      channelType: word(['PartnerTopic', 'PartnerDestination'], required),
      partnerTopicInfo: object({
        azureSubscriptionId: text(),
        resourceGroupName: text(),
        name,
        source: text(required),
        eventTypeInfo: EVENT_TYPES,
      }),
      partnerDestinationInfo: object({
        azureSubscriptionId: text(),
        resourceGroupName: text(),
        name,
        endpointType: word(['WebHook'], required),
        endpointServiceContext: text(),
        properties: object(
          { endpointUrl: text(), endpointBaseUrl: text(), clientAuthentication: CLIENT_AUTHENTICATION },
          required,
        ),
      }),
      ...COMMON,
    },
    { implied: true },
  ),
});

export const CHANNEL_PATCH = object({
  properties: object({
    ...COMMON,
    partnerTopicInfo: object({ eventTypeInfo: EVENT_TYPES }),
    partnerDestinationInfo: object({ endpointType: word(['WebHook']), properties: ENDPOINT }),
  }),
});

export const EVENT_CHANNEL_BODY = object({
  properties: object(
    {
      source: object({ source: text(required) }, required),
      destination: object({ azureSubscriptionId: text(), resourceGroup: text(), partnerTopicName: name }, required),
      expirationTimeIfNotActivatedUtc: TIME,
      filter: json(),
      partnerTopicFriendlyDescription: text(),
    },
    { implied: true },
  ),
});

export type ChannelProperties = NonNullable<ValueOf<typeof CHANNEL_BODY>['properties']>;
export type ChannelPatch = NonNullable<ValueOf<typeof CHANNEL_PATCH>['properties']>;
export type EndpointBody = ValueOf<typeof ENDPOINT>;
export type PartnerBody = ValueOf<typeof PARTNER>;

/** Throws the first mistake; wrong types come first, as with the schema of a route. */
export function readPartner<Value extends Draft, Draft>(
  field: Field<Value, Draft>,
  call: Pick<EventsCall, 'jar'>,
  arm: ArmFacts,
  sent: unknown,
): Value {
  const aliases = call.jar.config.namespace;
  const options = { context: undefined, wording: TOPIC_WORDING, rules: arm.view.rules, aliases };
  const reading = readBody(field, sent, options);
  const mistake = reading.mistakes.first('type') ?? reading.mistakes.errors()[0];
  if (mistake) throw mistake;
  return reading.value;
}

/** Throws unless the time is in the future. */
export function checkFuture(target: string, time: string, now: number): void {
  if (readTime(time) > now) return;
  throw invalid(target, `it has to be in the future; the time here is ${new Date(now).toISOString()}`);
}
