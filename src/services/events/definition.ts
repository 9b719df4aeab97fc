/** Definition of an event subscription: filter, destination, delivery schema and retry policy. */

export type DeliverySchema = 'EventGridSchema' | 'CloudEventSchemaV1_0' | 'CustomInputSchema';

export const ENDPOINT_TYPES = [
  'WebHook',
  'AzureFunction',
  'EventHub',
  'StorageQueue',
  'HybridConnection',
  'ServiceBusQueue',
  'ServiceBusTopic',
  'MonitorAlert',
  'NamespaceTopic',
  'PartnerDestination',
] as const;

export type EndpointType = (typeof ENDPOINT_TYPES)[number];

export interface AttributeMapping {
  readonly name: string;
  readonly type: 'Static' | 'Dynamic';
  /** Null for a secret, whose value is stored in the subscription's sealed secrets. */
  readonly properties: { readonly value?: string | null; readonly isSecret?: boolean; readonly sourceField?: string };
}

export interface Destination {
  readonly endpointType: EndpointType;
  /** As answers show them: with defaults and without secrets. A web hook has `endpointBaseUrl`, never `endpointUrl`. */
  readonly properties: {
    readonly endpointBaseUrl?: string;
    readonly resourceId?: string;
    readonly queueName?: string;
    readonly queueMessageTimeToLiveInSeconds?: number;
    readonly maxEventsPerBatch?: number;
    readonly preferredBatchSizeInKilobytes?: number;
    readonly azureActiveDirectoryTenantId?: string;
    readonly azureActiveDirectoryApplicationIdOrUri?: string;
    readonly minimumTlsVersionAllowed?: string;
    readonly deliveryAttributeMappings?: readonly AttributeMapping[];
    readonly severity?: string;
    readonly description?: string;
    readonly actionGroups?: readonly string[];
  };
}

export interface DeadLetterDestination {
  readonly endpointType: 'StorageBlob';
  readonly properties: { readonly resourceId: string; readonly blobContainerName: string };
}

/** Identity of the parent resource that delivery uses instead of the event service's own. */
export interface UsedIdentity {
  readonly type: 'SystemAssigned' | 'UserAssigned';
  readonly userAssignedIdentity?: string;
}

export interface AdvancedFilter {
  readonly operatorType: string;
  readonly key: string;
  readonly value?: number | boolean;
  readonly values?: readonly (string | number | readonly [number, number])[];
}

export interface EventFilter {
  readonly subjectBeginsWith: string;
  readonly subjectEndsWith: string;
  readonly isSubjectCaseSensitive: boolean;
  /** Absent: all event types. */
  readonly includedEventTypes?: readonly string[];
  readonly enableAdvancedFilteringOnArrays?: boolean;
  readonly advancedFilters?: readonly AdvancedFilter[];
}

export interface RetryPolicy {
  readonly maxDeliveryAttempts: number;
  readonly eventTimeToLiveInMinutes: number;
}

export interface Definition {
  /** Absent if none was given: such a subscription delivers nothing. */
  readonly destination?: Destination;
  /** Present if `destination` was set by `deliveryWithResourceIdentity`. */
  readonly identity?: UsedIdentity;
  readonly deadLetter?: DeadLetterDestination;
  /** Present if `deadLetter` was set by `deadLetterWithResourceIdentity`. */
  readonly deadLetterIdentity?: UsedIdentity;
  readonly filter: EventFilter;
  readonly labels?: readonly string[];
  /** As it was sent; compared with the jar's clock. */
  readonly expirationTimeUtc?: string;
  readonly eventDeliverySchema: DeliverySchema;
  readonly retryPolicy: RetryPolicy;
  /** `Secrets`, sealed; see `secrets.ts`. */
  readonly sealed?: string;
}

export interface Secrets {
  /** Full address of a web hook, with its query. */
  readonly endpointUrl?: string;
  /** Secret delivery attributes, by their names in lower case. */
  readonly attributes?: Readonly<Record<string, string>>;
}
