import type { Origin } from '../../kernel/arm/index.ts';
import { collection, type Json, set, text } from '../../kernel/store/index.ts';
import type { Workload } from './billing/offers.ts';
import type { OwnershipState, ProvisioningState } from './states.ts';

/** What an alias asked for, as answers repeat it. */
export interface Requested {
  readonly displayName: string;
  readonly workload?: Workload;
  readonly billingScope?: string;
  readonly resellerId?: string;
  readonly ownerId?: string;
  /** The name of the group, as sent. */
  readonly managementGroup?: string;
  readonly tags?: Record<string, string>;
}

/** How far a creation is. An alias has a copy of it, so that lists need nothing else. */
export interface Progress {
  readonly provisioningState: ProvisioningState;
  /** Absent where nobody has to accept. */
  readonly acceptOwnershipState?: OwnershipState;
  readonly error?: { readonly code: string; readonly message: string };
}

/** The name of a request for a subscription; names are unique in a tenant. */
export interface Alias {
  readonly tenantId: string;
  /** With the casing of its first write. */
  readonly name: string;
  /** Object id of whoever made it. */
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

/** A subscription on its way, and how it came to be afterwards. The key is its id. Nothing of it is in the gateway before it is there. */
export interface Creation extends Progress {
  readonly subscriptionId: string;
  /** The tenant that the subscription will be in. */
  readonly tenantId: string;
  readonly ownerId: string;
  /** The key of the alias that asked for it. */
  readonly alias: string;
  readonly requested: Requested;
  readonly quotaId: string;
  readonly createdAt: number;
  /** Who asked, for the change record of the end. */
  readonly origin: Origin;
  /** When the owner can accept no longer; absent where nobody has to accept. */
  readonly expiresAt?: number;
  readonly acceptance?: Acceptance;
}

/** What the owner said when accepting. */
export interface Acceptance {
  readonly operation: string;
  readonly origin: Origin;
  readonly displayName: string;
  readonly managementGroup?: string;
  readonly tags?: Record<string, string>;
}

export const creations = collection<Creation>('subscriptions.creations');

/** The next state of a subscription, by the clock. The key is the id of the subscription in lower case. */
export interface Transition {
  readonly to: 'Warned' | 'Disabled' | 'Enabled';
  readonly at: number;
  readonly origin: Origin;
}

export const transitions = collection<Transition>('subscriptions.transitions');

/** Whether subscriptions may leave and enter a tenant. The key is the id of the tenant in lower case. */
export interface TenantPolicy {
  readonly blockSubscriptionsLeavingTenant: boolean;
  readonly blockSubscriptionsIntoTenant: boolean;
  /** Object ids of those to whom the policy does not apply. */
  readonly exemptedPrincipals: readonly string[];
  readonly systemData: Json;
}

export const tenantPolicies = collection<TenantPolicy>('subscriptions.policies', { cached: true });

interface Named {
  readonly name: string;
  readonly displayName?: string;
  /** Object ids of those who may create subscriptions here; absent: all who may at the account. */
  readonly creators?: readonly string[];
}

/** Who pays. Seeded; the key is the name in lower case. */
export interface BillingAccount extends Named {
  readonly agreementType?: string;
  readonly billingProfiles?: readonly (Named & { readonly invoiceSections?: readonly Named[] })[];
  readonly customers?: readonly (Named & { readonly resellers?: readonly Reseller[] })[];
  readonly enrollmentAccounts?: readonly Named[];
  readonly serviceTenants?: readonly { readonly tenantId: string; readonly tenantName: string }[];
  /** Whether subscriptions may go to tenants that are no service tenants of the account. */
  readonly allowTransfers?: boolean;
}

export interface Reseller {
  readonly resellerId: string;
  readonly description?: string;
}

/** Among the creators of an account that has no list of them. */
export const EVERYBODY = '*';

export const billingAccounts = collection<BillingAccount>('subscriptions.billing_accounts', {
  fields: { creators: set((it) => it.creators?.map((id) => id.toLowerCase()) ?? [EVERYBODY]) },
  cached: true,
});
