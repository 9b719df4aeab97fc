import type { Origin } from '../../kernel/arm/index.ts';
import { collection, type Json, set, text } from '../../kernel/store/index.ts';
import type { Workload } from './billing/offers.ts';
import type { OwnershipState, ProvisioningState } from './states.ts';

/** The request of an alias, as answers repeat it. */
export interface Requested {
  readonly displayName: string;
  readonly workload?: Workload;
  readonly billingScope?: string;
  readonly resellerId?: string;
  readonly ownerId?: string;
  /** Name of the management group, as sent. */
  readonly managementGroup?: string;
  readonly tags?: Record<string, string>;
}

/** State of a creation. An alias stores a copy, so that lists read only aliases. */
export interface Progress {
  readonly provisioningState: ProvisioningState;
  /** Undefined if no acceptance is required. */
  readonly acceptOwnershipState?: OwnershipState;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A named request for a subscription; names are unique in a tenant. */
export interface Alias {
  readonly tenantId: string;
  /** In the spelling of its first write. */
  readonly name: string;
  /** Object id of the creator. */
  readonly creator: string;
  readonly subscriptionId: string;
  readonly requested: Requested;
  readonly progress: Progress;
  readonly createdAt: number;
  readonly systemData: Json;
}

export const aliases = collection<Alias>('subscriptions.aliases', {
  fields: { creator: text((it) => it.creator.toLowerCase()) },
  indexes: [['creator']],
});

export const aliasKey = (tenantId: string, name: string): string => `${tenantId}/${name}`.toLowerCase();

/**
 * A subscription that is being created, and afterwards the record of its creation. The key is its id. The gateway does not see the
 * subscription until it is complete.
 */
export interface Creation extends Progress {
  readonly subscriptionId: string;
  /** The tenant that the subscription will be in. */
  readonly tenantId: string;
  readonly ownerId: string;
  /** Key of the alias that requested it. */
  readonly alias: string;
  readonly requested: Requested;
  readonly quotaId: string;
  readonly createdAt: number;
  /** The caller, for the change record at the end. */
  readonly origin: Origin;
  /** Until when the owner can accept; undefined if no acceptance is required. */
  readonly expiresAt?: number;
  readonly acceptance?: Acceptance;
}

/** Choices of the owner on acceptance. */
export interface Acceptance {
  readonly operation: string;
  readonly origin: Origin;
  readonly displayName: string;
  readonly managementGroup?: string;
  readonly tags?: Record<string, string>;
}

export const creations = collection<Creation>('subscriptions.creations');

/** The scheduled next state of a subscription. The key is the id of the subscription in lower case. */
export interface Transition {
  readonly to: 'Warned' | 'Disabled' | 'Enabled';
  readonly at: number;
  readonly origin: Origin;
}

export const transitions = collection<Transition>('subscriptions.transitions');

/** Whether subscriptions may leave or enter a tenant. The key is the id of the tenant in lower case. */
export interface TenantPolicy {
  readonly blockSubscriptionsLeavingTenant: boolean;
  readonly blockSubscriptionsIntoTenant: boolean;
  /** Object ids of principals to whom the policy does not apply. */
  readonly exemptedPrincipals: readonly string[];
  readonly systemData: Json;
}

export const tenantPolicies = collection<TenantPolicy>('subscriptions.policies', { cached: true });

interface Named {
  readonly name: string;
  readonly displayName?: string;
  /** Object ids of principals who may create subscriptions here; undefined: everyone who may do so at the account. */
  readonly creators?: readonly string[];
}

/** A seeded billing account; the key is the name in lower case. */
export interface BillingAccount extends Named {
  readonly agreementType?: string;
  readonly billingProfiles?: readonly (Named & { readonly invoiceSections?: readonly Named[] })[];
  readonly customers?: readonly (Named & { readonly resellers?: readonly Reseller[] })[];
  readonly enrollmentAccounts?: readonly Named[];
  readonly serviceTenants?: readonly { readonly tenantId: string; readonly tenantName: string }[];
  /** Whether subscriptions may be created in tenants that are not service tenants of the account. */
  readonly allowTransfers?: boolean;
}

export interface Reseller {
  readonly resellerId: string;
  readonly description?: string;
}

/** The entry for all principals in lists of creators. */
export const EVERYBODY = '*';

export const billingAccounts = collection<BillingAccount>('subscriptions.billing_accounts', {
  fields: { creators: set((it) => it.creators?.map((id) => id.toLowerCase()) ?? [EVERYBODY]) },
  cached: true,
});
