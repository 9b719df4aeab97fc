import { collection, set, text } from '../store/collection.ts';
import type { Json } from '../store/types.ts';

/** Collections that the gateway keeps for all providers, so that its checks need no service. */

export type SubscriptionState = 'Enabled' | 'Warned' | 'PastDue' | 'Disabled' | 'Deleted';

export interface Subscription {
  subscriptionId: string;
  tenantId: string;
  displayName: string;
  state: SubscriptionState;
  tags: Record<string, string>;
  quotaId: string;
  spendingLimit: 'On' | 'Off' | 'CurrentPeriodOff';
  /** Registration states by provider namespace in lower case. */
  registrations: Record<string, 'Registering' | 'Registered' | 'Unregistering' | 'Unregistered'>;
  /** Number of locks at the subscription's scope and below; absent if there are none, so that the gateway need not look for locks. */
  locks?: number;
  /** Name of the management group that contains the subscription, in lower case; absent: the root group of its tenant. */
  managementGroup?: string;
}

export interface ResourceGroup {
  subscriptionId: string;
  name: string;
  location: string;
  tags: Record<string, string>;
  /** Whether tags were ever sent, even an empty set: responses then show an empty set, and omit tags otherwise. */
  tagged?: true;
  managedBy?: string;
  provisioningState: 'Succeeded' | 'Deleting';
  /** The running operation that deletes the group. */
  deletion?: string;
  /** The running operation that moves resources out of the group or into it. */
  move?: string;
}

/** A resource of any provider. `properties` holds what is specific to its type. */
export interface Resource {
  /** In the casing of the first write, with the canonical provider prefix. */
  id: string;
  subscriptionId: string;
  resourceGroup: string;
  name: string;
  /** `Vendor.ContainerInstance/containerGroups` */
  type: string;
  location?: string;
  tags: Record<string, string>;
  properties: { [key: string]: Json | undefined };
  /** Members beside `properties` that are specific to the type: `zones`, `identity`, `sku`. */
  extra: { [key: string]: Json | undefined };
  createdAt: number;
  changedAt: number;
}

export type Role = 'Owner' | 'Contributor' | 'Reader';

/** The roles of one principal; keyed by object id. */
export interface RoleAssignments {
  principalId: string;
  assignments: { scope: string; role: Role }[];
}

export type LockLevel = 'CanNotDelete' | 'ReadOnly';

/** A lock at a subscription, a resource group, a resource or a child resource. It applies to everything below its scope. */
export interface Lock {
  subscriptionId: string;
  /** With the canonical provider prefix; the casing, including that of the prefix, is that of the write that created the lock. */
  scope: string;
  name: string;
  level: LockLevel;
  notes?: string;
  owners?: { applicationId: string }[];
  systemData: Json;
}

const lower = (value: string): string => value.toLowerCase();

/** Index entry of a tag, by its name or by name and value. Names are compared without case and contain no slash. */
export const tagEntry = (name: string, value?: string): string =>
  value === undefined ? `name:${lower(name)}` : `both:${lower(name)}/${value}`;

export const tagEntries = (tags: Record<string, string>): string[] =>
  Object.entries(tags).flatMap(([name, value]) => [tagEntry(name), tagEntry(name, value)]);

export const subscriptions = collection<Subscription>('arm.subscriptions', {
  fields: { tenantId: text((it) => it.tenantId), managementGroup: text((it) => it.managementGroup) },
  indexes: [['tenantId', 'managementGroup']],
  cached: true,
});

export const resourceGroups = collection<ResourceGroup>('arm.groups', {
  fields: { tags: set((it) => tagEntries(it.tags)) },
  cached: true,
});

export const resources = collection<Resource>('arm.resources', {
  fields: {
    subscription: text((it) => lower(it.subscriptionId)),
    type: text((it) => lower(it.type)),
    name: text((it) => lower(it.name)),
    location: text((it) => it.location),
    group: text((it) => lower(it.resourceGroup)),
    tags: set((it) => tagEntries(it.tags)),
  },
  indexes: [
    ['subscription', 'type'],
    ['subscription', 'name'],
    ['subscription', 'location'],
  ],
  cached: true,
});

/** Keys begin with the key of the scope, so that a prefix query finds all locks below a scope. */
export const locks = collection<Lock>('arm.locks', {
  fields: { scope: text((it) => lower(it.scope)), level: text((it) => it.level) },
  indexes: [['scope']],
});

export const roleAssignments = collection<RoleAssignments>('arm.roles', { cached: true });
