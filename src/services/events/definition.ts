/** What an event subscription says: which events it is for, where they go, and how hard to try. */

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
  /** The value of a secret is among the subscription's secrets, and null here. */
  readonly properties: { readonly value?: string | null; readonly isSecret?: boolean; readonly sourceField?: string };
}

export interface Destination {
  readonly endpointType: EndpointType;
  /** As answers show them, defaults filled in and secrets left out: a web hook has `endpointBaseUrl`, never `endpointUrl`. */
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

/** Of the parent resource, to deliver with instead of the event service's own. */
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
  /** Absent: all of them. */
  readonly includedEventTypes?: readonly string[];
  readonly enableAdvancedFilteringOnArrays?: boolean;
  readonly advancedFilters?: readonly AdvancedFilter[];
}

export interface RetryPolicy {
  readonly maxDeliveryAttempts: number;
  readonly eventTimeToLiveInMinutes: number;
}

export interface Definition {
  /** Absent where none was given: such a subscription matches and delivers nothing. */
  readonly destination?: Destination;
  /** Given: `destination` was set by `deliveryWithResourceIdentity`. */
  readonly identity?: UsedIdentity;
  readonly deadLetter?: DeadLetterDestination;
  /** Given: `deadLetter` was set by `deadLetterWithResourceIdentity`. */
  readonly deadLetterIdentity?: UsedIdentity;
  readonly filter: EventFilter;
  readonly labels?: readonly string[];
  /** As it was sent; by the jar's clock. */
  readonly expirationTimeUtc?: string;
  readonly eventDeliverySchema: DeliverySchema;
  readonly retryPolicy: RetryPolicy;
  /** `Secrets`, sealed; see `secrets.ts`. */
  readonly sealed?: string;
}

export interface Secrets {
  /** Of a web hook, with its query. */
  readonly endpointUrl?: string;
  /** Of secret delivery attributes, by their names in lower case. */
  readonly attributes?: Readonly<Record<string, string>>;
}
