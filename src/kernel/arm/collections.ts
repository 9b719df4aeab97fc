import { collection, set, text } from '../store/collection.ts';
import type { Json } from '../store/types.ts';

/** What the gateway keeps for all providers, so that its checks in front of them need nothing from any service. */

export type SubscriptionState = 'Enabled' | 'Warned' | 'PastDue' | 'Disabled' | 'Deleted';

export interface Subscription {
  subscriptionId: string;
  tenantId: string;
  displayName: string;
  state: SubscriptionState;
  tags: Record<string, string>;
  quotaId: string;
  spendingLimit: 'On' | 'Off' | 'CurrentPeriodOff';
  /** Provider namespaces in lower case, and how far their registration is. */
  registrations: Record<string, 'Registering' | 'Registered' | 'Unregistering' | 'Unregistered'>;
  /** How many locks there are at its scope and below; absent where there are none, so that the gateway need not look for them. */
  locks?: number;
  /** The name of the management group that it is in, in lower case; absent: the root group of its tenant. */
  managementGroup?: string;
}

export interface ResourceGroup {
  subscriptionId: string;
  name: string;
  location: string;
  tags: Record<string, string>;
  /** Whether tags were ever sent, if only an empty set: answers show a set that is empty then, and none otherwise. */
  tagged?: true;
  managedBy?: string;
  provisioningState: 'Succeeded' | 'Deleting';
  /** The operation that deletes it, while one does. */
  deletion?: string;
  /** The operation that moves resources out of it or into it, while one does. */
  move?: string;
}

/** Any provider's resource. What is particular to its type is in `properties`. */
export interface Resource {
  /** With the casing of the first write, and with the canonical provider prefix. */
  id: string;
  subscriptionId: string;
  resourceGroup: string;
  name: string;
  /** `Vendor.ContainerInstance/containerGroups` */
  type: string;
  location?: string;
  tags: Record<string, string>;
  properties: { [key: string]: Json | undefined };
  /** Members beside `properties` that a type has of its own: `zones`, `identity`, `sku`. */
  extra: { [key: string]: Json | undefined };
  createdAt: number;
  changedAt: number;
}

export type Role = 'Owner' | 'Contributor' | 'Reader';

/** The roles of one principal; the key is its object id. */
export interface RoleAssignments {
  principalId: string;
  assignments: { scope: string; role: Role }[];
}

export type LockLevel = 'CanNotDelete' | 'ReadOnly';

/** A lock at a subscription, a resource group, a resource or one of its children. It holds for everything below. */
export interface Lock {
  subscriptionId: string;
  /** With the canonical provider prefix, and the casing of the write that made the lock, that of the prefix included. */
  scope: string;
  name: string;
  level: LockLevel;
  notes?: string;
  owners?: { applicationId: string }[];
  systemData: Json;
}

const lower = (value: string): string => value.toLowerCase();

/** How a tag is found, by its name or by both; names compare without regard to case and hold no slash. */
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

/** The key begins with that of the scope, so that the locks below a scope are found by a prefix. */
export const locks = collection<Lock>('arm.locks', {
  fields: { scope: text((it) => lower(it.scope)), level: text((it) => it.level) },
  indexes: [['scope']],
});

export const roleAssignments = collection<RoleAssignments>('arm.roles', { cached: true });
