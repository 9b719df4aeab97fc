import { type Destination, ENDPOINT_TYPES, type EndpointType, type Secrets } from '../../definition.ts';
import { readAttributes } from './attributes.ts';
import type { ReadContext } from './context.ts';
import type { Fields } from './fields.ts';
import { canonicalId, notOfType, type ResourceUse, readResourceId } from './resource-ids.ts';
import { readBatches, readWebHook } from './web-hook.ts';

type Properties = Destination['properties'];

interface Read {
  readonly properties: Properties;
  readonly endpointUrl?: string | undefined;
}

export interface ReadDestination {
  readonly destination: Destination;
  readonly secrets: Secrets;
}

const SEVERITIES = ['Sev0', 'Sev1', 'Sev2', 'Sev3', 'Sev4'] as const;
const WEEK_SECONDS = 7 * 24 * 3600;
/** What storage calls a queue or a container: small letters and digits, with single hyphens between them. */
const STORAGE_NAME = /^(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*$/;
const CONTAINER_NAME = /^(?:(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*|\$root|\$logs)$/;

const named =
  (use: ResourceUse) =>
  (fields: Fields, { aliases }: ReadContext): Read => ({ properties: { ...idOf(fields, use, aliases) } });

const idOf = (fields: Fields, use: ResourceUse, aliases: readonly string[]): Pick<Properties, 'resourceId'> => {
  const resourceId = readResourceId(fields, 'resourceId', use, aliases);
  return resourceId === undefined ? {} : { resourceId };
};

interface Kind {
  read(fields: Fields, context: ReadContext): Read;
  /** Takes delivery attributes. */
  readonly attributes: boolean;
}

const KINDS: Readonly<Record<EndpointType, Kind>> = {
  WebHook: { read: readWebHook, attributes: true },
  AzureFunction: {
    read: (fields, { aliases }) => ({
      properties: { ...idOf(fields, 'AzureFunction', aliases), ...readBatches(fields) },
    }),
    attributes: true,
  },
  EventHub: { read: named('EventHub'), attributes: true },
  HybridConnection: { read: named('HybridConnection'), attributes: true },
  ServiceBusQueue: { read: named('ServiceBusQueue'), attributes: true },
  ServiceBusTopic: { read: named('ServiceBusTopic'), attributes: true },
  StorageQueue: { read: readStorageQueue, attributes: false },
  MonitorAlert: { read: readMonitorAlert, attributes: false },
  NamespaceTopic: { read: named('NamespaceTopic'), attributes: false },
};

function readStorageQueue(fields: Fields, { aliases }: ReadContext): Read {
  const queueName = fields.requiredText('queueName');
  if (queueName !== undefined && !STORAGE_NAME.test(queueName))
    fields.wrong('queueName', `'queueName' has to be ${STORAGE_NAME_RULE}.`);
  return {
    properties: {
      ...idOf(fields, 'StorageQueue', aliases),
      ...(queueName !== undefined && { queueName }),
      queueMessageTimeToLiveInSeconds: readTimeToLive(fields),
    },
  };
}

const STORAGE_NAME_RULE = '3 to 63 small letters, digits and single hyphens between them';

function readTimeToLive(fields: Fields): number {
  const name = 'queueMessageTimeToLiveInSeconds';
  const value = fields.raw(name) ?? WEEK_SECONDS;
  if (Number.isSafeInteger(value) && (value === -1 || (value as number) > 0)) return value as number;
  fields.wrong(name, `'${name}' has to be a whole number from 1 up, or -1 for never.`);
  return WEEK_SECONDS;
}

function readMonitorAlert(fields: Fields, { aliases }: ReadContext): Read {
  if (!fields.has('severity')) fields.wrong('severity', `'severity' is required: one of ${SEVERITIES.join(', ')}.`);
  const severity = fields.word('severity', SEVERITIES);
  const description = fields.text('description');
  const groups = fields.texts('actionGroups')?.map((id, i) => {
    const found = canonicalId(id, 'ActionGroup', aliases);
    if (found === undefined) fields.wrong(`actionGroups[${i}]`, notOfType('actionGroups', 'ActionGroup'));
    return found ?? id;
  });
  return {
    properties: {
      ...(severity !== undefined && { severity }),
      ...(description !== undefined && { description }),
      ...(groups !== undefined && { actionGroups: groups }),
    },
  };
}

/** `endpointType` and what belongs to it; undefined, and told of, where it cannot be read. */
export function readDestination(fields: Fields, context: ReadContext): ReadDestination | undefined {
  if (!fields.has('endpointType'))
    return fields.wrong('endpointType', `'endpointType' is required: one of ${ENDPOINT_TYPES.join(', ')}.`);
  const endpointType = fields.word('endpointType', ENDPOINT_TYPES);
  const properties = fields.object('properties');
  if (!fields.has('properties')) fields.wrong('properties', "'properties' is required.");
  if (endpointType === undefined || !properties) return undefined;
  const kind = KINDS[endpointType];
  const read = kind.read(properties, context);
  const attributes = kind.attributes ? readAttributes(properties, context.knownSecrets.attributes) : undefined;
  return {
    destination: {
      endpointType,
      properties: {
        ...read.properties,
        ...(attributes && attributes.mappings.length > 0 && { deliveryAttributeMappings: attributes.mappings }),
      },
    },
    secrets: {
      ...(read.endpointUrl !== undefined && { endpointUrl: read.endpointUrl }),
      ...(attributes && Object.keys(attributes.secrets).length > 0 && { attributes: attributes.secrets }),
    },
  };
}

export interface ReadDeadLetter {
  readonly endpointType: 'StorageBlob';
  readonly properties: { readonly resourceId: string; readonly blobContainerName: string };
}

export function readDeadLetter(fields: Fields, { aliases }: ReadContext): ReadDeadLetter | undefined {
  if (!fields.has('endpointType')) return fields.wrong('endpointType', "'endpointType' is required: StorageBlob.");
  const endpointType = fields.word('endpointType', ['StorageBlob']);
  const properties = fields.object('properties');
  if (!fields.has('properties')) fields.wrong('properties', "'properties' is required.");
  if (endpointType === undefined || !properties) return undefined;
  const resourceId = readResourceId(properties, 'resourceId', 'StorageBlob', aliases);
  const blobContainerName = properties.requiredText('blobContainerName');
  if (blobContainerName !== undefined && !CONTAINER_NAME.test(blobContainerName))
    return properties.wrong('blobContainerName', `'blobContainerName' has to be ${STORAGE_NAME_RULE}.`);
  if (resourceId === undefined || blobContainerName === undefined) return undefined;
  return { endpointType, properties: { resourceId, blobContainerName } };
}
