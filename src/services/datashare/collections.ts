import type { Origin } from '../../kernel/arm/index.ts';
import { boolean, collection, type Json, number, text } from '../../kernel/store/index.ts';

/**
 * What the service keeps. Accounts are resources of the gateway. Everything else is kept under the `uid` of what it belongs to, which
 * is never used again: what is made anew under an old name finds nothing of what was there before, however long that takes to remove.
 */
export interface Owned {
  readonly uid: string;
  /** With the casing of the first write and the canonical provider prefix. */
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly systemData: Json;
}

/** The key of something in its owner. */
export const ownedKey = (owner: string, name: string): string => `${owner}/${name.toLowerCase()}`;

/** Who did something, as others see them. An application has no address. */
export interface Person {
  readonly name: string;
  readonly email?: string;
}

/** One side of a share, as the other side sees it. */
export interface Party extends Person {
  readonly tenantName: string;
}

/** Where something is, and whose it is: for records and for checks across tenants. */
export interface Home {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly location: string;
}

const lower = (value: string): string => value.toLowerCase();
const named = { name: text((it: { readonly name: string }) => lower(it.name)) };
const dated = { ...named, createdAt: number((it: { readonly createdAt: number }) => it.createdAt) };

export type ShareKind = 'CopyBased' | 'InPlace';

/** The key is in the account. */
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

/** The key is in the share; the `dataSetId` of clients is the uid. */
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

/** When the provider's data is good to be copied. The key is in the share. */
export interface SynchronizationSetting extends Owned {
  readonly share: string;
  readonly recurrenceInterval: Recurrence;
  /** Of the jar's clock. */
  readonly synchronizationTime: number;
  readonly user: Person;
}

export const synchronizationSettings = collection<SynchronizationSetting>('datashare.settings_of_shares', {
  fields: dated,
  cached: true,
});

export type InvitationStatus = 'Pending' | 'Accepted' | 'Rejected' | 'Withdrawn';

/** Somebody by their address, or by their id in a directory. */
export type Addressee = { readonly email: string } | { readonly activeDirectoryId: string; readonly objectId: string };

/** The key is in the share; the `invitationId` of clients is the uid. */
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

/** How invitations of an addressee are found. */
export function addresseeKey(it: Addressee): string {
  if ('email' in it) return `email:${lower(it.email)}`;
  return `directory:${lower(it.activeDirectoryId)}/${lower(it.objectId)}`;
}

export type SubscriptionStatus = 'Active' | 'Revoked' | 'SourceDeleted' | 'Revoking';

/** Why the run that is under way must not go on. */
export type StopReason = 'cancelled' | 'revoked' | 'expired' | 'source deleted';

/** A consumer's side of a share. The key is in the consumer's account. */
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
  /** As it was accepted. */
  readonly offer: {
    readonly shareName: string;
    readonly shareKind: ShareKind;
    readonly description?: string;
    readonly terms?: string;
    readonly provider: Party;
  };
  readonly consumer: Party;
  readonly user: Person;
  /** The operation of a revocation that waits for the run to stop. */
  readonly revocation?: string;
  /** The run that is queued or in progress: there is one at most. */
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

/** Where a consumer wants a data set. The key is in the share subscription. */
export interface Mapping extends Owned {
  readonly subscription: string;
  readonly dataSetId: string;
  /** In the share, as long as it exists. */
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

/** Has the schedule of the source followed. The key is in the share subscription. */
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

/** One synchronization. The key is in the share subscription, by its id. */
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
  /** Where the provider is to read something else than the consumer. */
  readonly providerMessage?: string;
  readonly consumer: Party;
  /** Who asked for it; nobody did where a trigger has set it off. */
  readonly origin?: Origin;
  /** The lease of the work item that takes it on; whoever has another one must leave it alone. */
  readonly holder?: string;
}

/** Lists are in the order of this time: it has a value from the first moment, and a page is not disturbed by a run that starts. */
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

/** What a run did with one data set. The key is in the run, by the data set's id. */
export interface RunDataSet {
  readonly dataSetId: string;
  /** The uid of the mapping, by which its progress is found. */
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

/** An address that somebody says is theirs. The key is `object id/address`, in lower case. */
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

/** How many removals an operation waits for: what was in something that was deleted goes in parts. The key is the operation's id. */
export interface Removals {
  readonly left: number;
}

export const removals = collection<Removals>('datashare.removals');

/** The subscription that a storage account belongs to: the first that named it. The key is its name. */
export interface StorageOwner {
  readonly subscriptionId: string;
  /** As it was named first; who may write there may use it. */
  readonly resourceGroup?: string;
}

export const storageOwners = collection<StorageOwner>('datashare.storage_owners');
