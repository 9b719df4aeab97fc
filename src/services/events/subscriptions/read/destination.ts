import type { ValueOf } from '../../../../kernel/arm/body/index.ts';
import { type Destination, ENDPOINT_TYPES, type Secrets } from '../../definition.ts';
import { ATTRIBUTES, separateSecrets } from './attributes.ts';
import { custom, integer, list, object, resourceId, text, union, word } from './context.ts';
import { baseOf, checkAddress, endpointUrl } from './endpoint-url.ts';
import { RESOURCE_TYPES } from './resource-types.ts';
import { says } from './wording.ts';

const SEVERITIES = ['Sev0', 'Sev1', 'Sev2', 'Sev3', 'Sev4'] as const;
const TLS_VERSIONS = ['1.0', '1.1', '1.2'] as const;
/** Name of a queue or container in storage: lower-case letters and digits, with single hyphens between them. */
const STORAGE_NAME = /^(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*$/;
const CONTAINER_NAME = /^(?:(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*|\$root|\$logs)$/;
const STORAGE_NAME_RULE = '3 to 63 lower-case letters and digits, with single hyphens between them';

const required = { required: true } as const;
const idOf = (use: keyof typeof RESOURCE_TYPES) => resourceId(RESOURCE_TYPES[use], required);
const named = (use: keyof typeof RESOURCE_TYPES) => ({
  properties: object({ resourceId: idOf(use), deliveryAttributeMappings: ATTRIBUTES }, required),
});

/** Web hooks and functions accept batches. */
const BATCHES = {
  maxEventsPerBatch: integer({ min: 1, max: 5000 }),
  preferredBatchSizeInKilobytes: integer({ min: 1, max: 1024 }),
};

const WEB_HOOK = object(
  {
    endpointUrl: endpointUrl(),
    endpointBaseUrl: custom((given) => given),
    azureActiveDirectoryTenantId: text(),
    azureActiveDirectoryApplicationIdOrUri: text(),
    minimumTlsVersionAllowed: word(TLS_VERSIONS),
    ...BATCHES,
    deliveryAttributeMappings: ATTRIBUTES,
  },
  { required: true, check: checkAddress },
);

const TIME_TO_LIVE = custom((given, at): number | undefined => {
  if (typeof given === 'number' && Number.isSafeInteger(given) && (given === -1 || given > 0)) return given;
  at.wrong(says("'queueMessageTimeToLiveInSeconds' has to be a whole number from 1 up, or -1 for never."));
  return undefined;
});

const STORAGE_QUEUE = object(
  {
    queueName: text({ required: true, pattern: STORAGE_NAME, rule: STORAGE_NAME_RULE }),
    resourceId: idOf('StorageQueue'),
    queueMessageTimeToLiveInSeconds: TIME_TO_LIVE,
  },
  required,
);

const MONITOR_ALERT = object(
  {
    severity: word(SEVERITIES, {
      required: says(`'severity' is required: one of ${SEVERITIES.join(', ')}.`),
      emptyIsValue: true,
    }),
    description: text(),
    actionGroups: list(resourceId(RESOURCE_TYPES.ActionGroup)),
  },
  required,
);

const ANY_PROPERTIES = { properties: object({}, required) };

/** By `endpointType`, in the order of the error messages. */
const VARIANTS = {
  WebHook: { properties: WEB_HOOK },
  AzureFunction: {
    properties: object(
      { resourceId: idOf('AzureFunction'), ...BATCHES, deliveryAttributeMappings: ATTRIBUTES },
      required,
    ),
  },
  EventHub: named('EventHub'),
  StorageQueue: { properties: STORAGE_QUEUE },
  HybridConnection: named('HybridConnection'),
  ServiceBusQueue: named('ServiceBusQueue'),
  ServiceBusTopic: named('ServiceBusTopic'),
  MonitorAlert: { properties: MONITOR_ALERT },
  NamespaceTopic: { properties: object({ resourceId: idOf('NamespaceTopic') }, required) },
  PartnerDestination: { properties: object({ resourceId: idOf('PartnerDestination') }, required) },
};

const OPTIONS = {
  missingWord: says(`'endpointType' is required: one of ${ENDPOINT_TYPES.join(', ')}.`),
  otherwise: ANY_PROPERTIES,
};

export const DESTINATION = union('endpointType', VARIANTS, OPTIONS);
export const REQUIRED_DESTINATION = union('endpointType', VARIANTS, { ...OPTIONS, ...required });

const STORAGE_BLOB = object(
  {
    resourceId: idOf('StorageBlob'),
    blobContainerName: text({ required: true, pattern: CONTAINER_NAME, rule: STORAGE_NAME_RULE }),
  },
  required,
);

const DEAD_LETTER_VARIANTS = { StorageBlob: { properties: STORAGE_BLOB } };

const DEAD_LETTER_OPTIONS = {
  missingWord: says("'endpointType' is required: StorageBlob."),
  otherwise: ANY_PROPERTIES,
};

export const DEAD_LETTER = union('endpointType', DEAD_LETTER_VARIANTS, DEAD_LETTER_OPTIONS);
export const REQUIRED_DEAD_LETTER = union('endpointType', DEAD_LETTER_VARIANTS, {
  ...DEAD_LETTER_OPTIONS,
  ...required,
});

export type DestinationBody = ValueOf<typeof DESTINATION>;

interface SeparatedSecrets {
  readonly destination: Destination;
  readonly secrets: Secrets;
  /** Values of secret delivery attributes that came with this request. */
  readonly sentAttributes: NonNullable<Secrets['attributes']>;
}

/** Splits a destination into what is stored and shown, and its secrets. */
export function destinationOf(body: DestinationBody, known: Secrets): SeparatedSecrets {
  const { endpointType } = body;
  const { properties, endpointUrl: url } = plainOf(body, known);
  const attributes =
    'deliveryAttributeMappings' in body.properties && body.properties.deliveryAttributeMappings
      ? separateSecrets(body.properties.deliveryAttributeMappings, known)
      : undefined;
  return {
    destination: {
      endpointType,
      properties: {
        ...properties,
        ...(attributes && attributes.mappings.length > 0 && { deliveryAttributeMappings: attributes.mappings }),
      },
    },
    secrets: {
      ...(url !== undefined && { endpointUrl: url }),
      ...(attributes && Object.keys(attributes.secrets).length > 0 && { attributes: attributes.secrets }),
    },
    sentAttributes: attributes?.sent ?? {},
  };
}

interface Plain {
  readonly properties: Destination['properties'];
  readonly endpointUrl?: string | undefined;
}

/** In the order of answers, with only the members that were sent. */
function plainOf(body: DestinationBody, known: Secrets): Plain {
  switch (body.endpointType) {
    case 'WebHook': {
      const { endpointUrl: sent, endpointBaseUrl, deliveryAttributeMappings, ...rest } = body.properties;
      const { maxEventsPerBatch, preferredBatchSizeInKilobytes, ...others } = rest;
      const url = sent ?? known.endpointUrl ?? '';
      const batches = { maxEventsPerBatch, preferredBatchSizeInKilobytes };
      return { endpointUrl: url, properties: { endpointBaseUrl: baseOf(url), ...batches, ...others } };
    }
    case 'StorageQueue': {
      const { queueName, resourceId: id, queueMessageTimeToLiveInSeconds } = body.properties;
      return { properties: { resourceId: id, queueName, queueMessageTimeToLiveInSeconds } };
    }
    case 'MonitorAlert':
    case 'NamespaceTopic':
    case 'PartnerDestination':
      return { properties: body.properties };
    default: {
      const { deliveryAttributeMappings, ...properties } = body.properties;
      return { properties };
    }
  }
}
