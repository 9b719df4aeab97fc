import type { Origin } from '../../kernel/arm/index.ts';
import { boolean, collection, type Json, number, text } from '../../kernel/store/index.ts';

/**
 * Collections of the service. Accounts are resources of the gateway. All other documents are keyed by the `uid` of their owner, which is
 * never reused: an owner recreated under an old name does not see documents of the deleted one, however long their removal takes.
 */
export interface Owned {
  readonly uid: string;
  /** In the casing of the first write and with the canonical provider prefix. */
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly systemData: Json;
}

/** The key of a document within its owner. */
export const ownedKey = (owner: string, name: string): string => `${owner}/${name.toLowerCase()}`;

/** A person as shown to others. An application has no email address. */
export interface Person {
  readonly name: string;
  readonly email?: string;
}

/** One side of a share, as shown to the other side. */
export interface Party extends Person {
  readonly tenantName: string;
}

/** Location and tenant of a resource, for activity records and for checks across tenants. */
export interface Home {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly location: string;
}

const lower = (value: string): string => value.toLowerCase();
const named = { name: text((it: { readonly name: string }) => lower(it.name)) };
const dated = { ...named, createdAt: number((it: { readonly createdAt: number }) => it.createdAt) };

export type ShareKind = 'CopyBased' | 'InPlace';

/** Keyed within the account. */
export interface Share extends Owned {
  /** The uid of its account. */
  readonly account: string;
  readonly home: Home;
  readonly shareKind: ShareKind;
  readonly description?: string;
  readonly terms?: string;
  readonly user: Person;
}

export const shares = collection<Share>('datashare.shares', { fields: dated, cached: true });

/** Keyed within the share. Clients see the uid as `dataSetId`. */
export interface DataSet extends Owned {
  readonly share: string;
  readonly kind: string;
  readonly properties: { readonly [name: string]: Json };
}

export const dataSets = collection<DataSet>('datashare.data_sets', {
  fields: { ...dated, uid: text((it) => it.uid), kind: text((it) => it.kind) },
  cached: true,
});

export type Recurrence = 'Day' | 'Hour';

/** The schedule on which the provider's data is ready to be copied. Keyed within the share. */
export interface SynchronizationSetting extends Owned {
  readonly share: string;
  readonly recurrenceInterval: Recurrence;
  /** In the jar's time. */
  readonly synchronizationTime: number;
  readonly user: Person;
}

export const synchronizationSettings = collection<SynchronizationSetting>('datashare.settings_of_shares', {
  fields: dated,
  cached: true,
});

export type InvitationStatus = 'Pending' | 'Accepted' | 'Rejected' | 'Withdrawn';

/** A recipient, by email address or by object id in a directory. */
export type Addressee = { readonly email: string } | { readonly activeDirectoryId: string; readonly objectId: string };

/** Keyed within the share. Clients see the uid as `invitationId`. */
export interface Invitation extends Owned {
  readonly share: string;
  readonly shareKey: string;
  readonly home: Home;
  readonly addressee: Addressee;
  readonly expirationDate?: number;
  readonly status: InvitationStatus;
  readonly respondedAt?: number;
  readonly sender: Party;
  readonly user: Person;
}

export const invitations = collection<Invitation>('datashare.invitations', {
  fields: {
    ...dated,
    uid: text((it) => it.uid),
    status: text((it) => it.status),
    addressee: text((it) => addresseeKey(it.addressee)),
  },
  indexes: [['uid'], ['addressee', 'status']],
  cached: true,
});

/** The index key for finding invitations of a recipient. */
export function addresseeKey(it: Addressee): string {
  if ('email' in it) return `email:${lower(it.email)}`;
  return `directory:${lower(it.activeDirectoryId)}/${lower(it.objectId)}`;
}

export type SubscriptionStatus = 'Active' | 'Revoked' | 'SourceDeleted' | 'Revoking';

/** Why the current run must stop. */
export type StopReason = 'cancelled' | 'revoked' | 'expired' | 'source deleted';

/** A consumer's side of a share. Keyed within the consumer's account. */
export interface ShareSubscription extends Owned {
  readonly account: string;
  readonly home: Home;
  readonly share: string;
  readonly shareKey: string;
  readonly invitation: string;
  readonly sourceShareLocation: string;
  readonly status: SubscriptionStatus;
  readonly expirationDate?: number;
  readonly sharedAt: number;
  /** The offer as it was when accepted. */
  readonly offer: {
    readonly shareName: string;
    readonly shareKind: ShareKind;
    readonly description?: string;
    readonly terms?: string;
    readonly provider: Party;
  };
  readonly consumer: Party;
  readonly user: Person;
  /** Id of a revocation operation that waits for the run to stop. */
  readonly revocation?: string;
  /** The queued or running synchronization, at most one. */
  readonly active?: { readonly run: string; readonly stop?: StopReason };
}

export const shareSubscriptions = collection<ShareSubscription>('datashare.subscriptions', {
  fields: {
    ...dated,
    share: text((it) => it.share),
    uid: text((it) => it.uid),
    invitation: text((it) => it.invitation),
    status: text((it) => it.status),
  },
  indexes: [['share', 'uid'], ['invitation']],
  cached: true,
});

/** The target to which a consumer copies a data set. Keyed within the share subscription. */
export interface Mapping extends Owned {
  readonly subscription: string;
  readonly dataSetId: string;
  /** The key of the data set in the share; the data set may have been deleted. */
  readonly dataSetKey: string;
  readonly kind: string;
  readonly properties: { readonly [name: string]: Json };
}

export const mappings = collection<Mapping>('datashare.mappings', {
  fields: { ...dated, kind: text((it) => it.kind), dataSetId: text((it) => it.dataSetId) },
  cached: true,
});

export type RunMode = 'FullSync' | 'Incremental';
export type TriggerStatus = 'Active' | 'Inactive' | 'SourceSynchronizationSettingDeleted';

/** Follows a schedule of the source. Keyed within the share subscription. */
export interface Trigger extends Owned {
  readonly subscription: string;
  readonly subscriptionKey: string;
  readonly share: string;
  readonly recurrenceInterval: Recurrence;
  readonly synchronizationTime: number;
  readonly synchronizationMode: RunMode;
  readonly status: TriggerStatus;
  readonly provisioningState: 'Creating' | 'Succeeded';
  readonly user: Person;
}

export const triggers = collection<Trigger>('datashare.triggers', {
  fields: { ...dated, share: text((it) => it.share) },
  indexes: [['share']],
  cached: true,
});

export type RunStatus = 'Queued' | 'InProgress' | 'Succeeded' | 'Failed' | 'Cancelled';

/** One synchronization. Keyed by its id within the share subscription. */
export interface Run {
  readonly id: string;
  readonly subscription: string;
  readonly subscriptionKey: string;
  readonly share: string;
  readonly shareKey: string;
  readonly mode: RunMode;
  readonly status: RunStatus;
  readonly queuedAt: number;
  readonly startTime?: number;
  readonly endTime?: number;
  readonly durationMs?: number;
  readonly message?: string;
  /** Set if the provider sees a different message than the consumer. */
  readonly providerMessage?: string;
  readonly consumer: Party;
  /** The caller who started the run; undefined if a trigger did. */
  readonly origin?: Origin;
  /** Lease of the work item that executes the run. A worker with another lease must not touch the run. */
  readonly holder?: string;
}

/** Sort time of lists. It is set from the beginning, so pages stay stable when a run starts. */
const orderTime = (it: Run): number => it.startTime ?? it.queuedAt;

export const runs = collection<Run>('datashare.runs', {
  fields: {
    subscription: text((it) => it.subscription),
    share: text((it) => it.share),
    orderTime: number(orderTime),
    isStarted: boolean((it) => it.startTime !== undefined),
    endTime: number((it) => it.endTime),
    durationMs: number((it) => it.durationMs),
    status: text((it) => it.status),
    message: text((it) => it.message),
    id: text((it) => it.id),
    mode: text((it) => it.mode),
    consumerName: text((it) => it.consumer.name),
    consumerEmail: text((it) => it.consumer.email),
    consumerTenantName: text((it) => it.consumer.tenantName),
  },
  indexes: [
    ['subscription', 'orderTime'],
    ['subscription', 'status', 'orderTime'],
    ['share', 'orderTime'],
    ['share', 'status', 'orderTime'],
    ['share', 'id'],
  ],
});

/** Result of a run for one data set. Keyed within the run by the id of the data set. */
export interface RunDataSet {
  readonly dataSetId: string;
  /** Uid of the mapping, which identifies the copy progress. */
  readonly mapping: string;
  readonly name: string;
  readonly kind: string;
  readonly status: RunStatus;
  readonly startTime: number;
  readonly endTime?: number;
  readonly durationMs?: number;
  readonly message?: string;
  readonly providerMessage?: string;
  readonly filesRead: number;
  readonly filesWritten: number;
  readonly sizeRead: number;
  readonly sizeWritten: number;
}

export const runDataSets = collection<RunDataSet>('datashare.run_data_sets', {
  fields: {
    startTime: number((it) => it.startTime),
    endTime: number((it) => it.endTime),
    durationMs: number((it) => it.durationMs),
    status: text((it) => it.status),
    message: text((it) => it.message),
    name: text((it) => it.name),
    kind: text((it) => it.kind),
    dataSetId: text((it) => it.dataSetId),
    filesRead: number((it) => it.filesRead),
    filesWritten: number((it) => it.filesWritten),
    sizeRead: number((it) => it.sizeRead),
    sizeWritten: number((it) => it.sizeWritten),
  },
});

export type RegistrationStatus = 'ActivationPending' | 'Activated' | 'ActivationAttemptsExhausted';

/** An email address that a caller claims. Keyed by `object id/address` in lower case. */
export interface EmailRegistration {
  readonly tenantId: string;
  readonly objectId: string;
  readonly email: string;
  readonly status: RegistrationStatus;
  readonly code: string;
  readonly attempts: number;
  readonly requestedAt: number;
  readonly activatedAt?: number;
}

export const emailRegistrations = collection<EmailRegistration>('datashare.emails', {
  fields: {
    objectId: text((it) => lower(it.objectId)),
    email: text((it) => lower(it.email)),
    status: text((it) => it.status),
    requestedAt: number((it) => it.requestedAt),
  },
  indexes: [['objectId']],
});

/**
 * The number of removals that an operation waits for, because the contents of a deleted resource are removed in parts. Keyed by the id of
 * the operation.
 */
export interface Removals {
  readonly left: number;
}

export const removals = collection<Removals>('datashare.removals');

/** The subscription that owns a storage account: the first one that named it. Keyed by the account's name. */
export interface StorageOwner {
  readonly subscriptionId: string;
  /** The resource group as first named; callers with write access there may use the account. */
  readonly resourceGroup?: string;
}

export const storageOwners = collection<StorageOwner>('datashare.storage_owners');
