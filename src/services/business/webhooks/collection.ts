import { newClientState, plainAddress } from '../../../kernel/delivery/index.ts';
import { boolean, collection, number, text } from '../../../kernel/store/index.ts';

/** What a subscription watches, as it was found when it was registered. */
export interface SubscriptionTarget {
  /** `v2.0`, `contoso/fleet/v1.0`: the API whose page is watched. */
  readonly route: string;
  /** `customers` */
  readonly set: string;
  /** `customer` */
  readonly entity: string;
  /** The name of the page's table: a change to one of its records is a change for this subscription. */
  readonly table: string;
  readonly companyKey: string;
  readonly companyId: string;
  readonly companyName: string;
  /** The property that is the key of the page, and how a key is written: bare for guids and numbers, in quotes for texts. */
  readonly keyProperty: string;
  readonly keyKind: 'guid' | 'string' | 'number';
  /** Whether the page shows `lastModifiedDateTime`, by which a collection notification can be filtered. */
  readonly showsLastModified: boolean;
}

export interface Subscription {
  /** 32 hexadecimal digits. */
  readonly subscriptionId: string;
  readonly tenantId: string;
  /** As it was registered, with or without its slash. */
  readonly resource: string;
  readonly target: SubscriptionTarget;
  /** The address for eyes, without what may be secret in it. */
  readonly shownUrl: string;
  /** Equal for subscriptions of one company to one address, and only for these: what one notification is for. */
  readonly address: string;
  /** The whole address and the client state, sealed; see `secretsOf`. */
  readonly secrets: string;
  /** Who made it. */
  readonly userId: string;
  readonly modifiedBy: string;
  /** Milliseconds of the jar's clock. */
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly expiresAt: number;
  /** Belongs to a flow of the automation connector, which makes nothing of collection notifications. */
  readonly flow?: boolean;
  /** How often it was made to watch something else: what it was to be told before is none of its own any more. */
  readonly retargeted?: number;
}

export const watchKey = (companyKey: string, table: string): string => `${companyKey}/${table}`;

/** Keyed `<tenant>/<subscription id>`. */
export const subscriptions = collection<Subscription>('business.subscriptions', {
  fields: {
    subscriptionId: text((it) => it.subscriptionId),
    resource: text((it) => it.resource),
    company: text((it) => it.target.companyKey),
    watch: text((it) => watchKey(it.target.companyKey, it.target.table)),
    address: text((it) => it.address),
    user: text((it) => it.userId.toLowerCase()),
    modifiedBy: text((it) => it.modifiedBy.toLowerCase()),
    created: number((it) => it.createdAt),
    modified: number((it) => it.modifiedAt),
    expires: number((it) => it.expiresAt),
    flow: boolean((it) => it.flow === true),
  },
  indexes: [['watch'], ['address']],
  secrets: {
    what: 'addresses and client states of business subscriptions',
    afterwards:
      'Client states are new. Addresses with a query, which may be a key, did not come along: these subscriptions have to be renewed with their whole address',
    name: (subscription) => subscription.resource,
    remove: (subscription, sealer) => ({
      ...subscription,
      secrets: plainAddress(sealer, subscription.secrets),
    }),
    renew: (subscription, sealer, key) => [
      key,
      { ...subscription, secrets: newClientState(sealer, subscription.secrets) },
    ],
  },
});

export const subscriptionKey = (tenantId: string, subscriptionId: string): string =>
  `${tenantId}/${subscriptionId.toLowerCase()}`;

/**
 * `deleted` by a client, `expired` unrenewed, `refused` by an answer of its receiver, `undeliverable` to the end of the retries, `obsolete` since what
 * it watches is no more.
 */
export type RemovalReason = 'deleted' | 'expired' | 'refused' | 'undeliverable' | 'obsolete';

export const REMOVAL_REASONS: readonly RemovalReason[] = ['deleted', 'expired', 'refused', 'undeliverable', 'obsolete'];

/** What is left of a subscription that is no more: when it went, and why. */
export interface Removal {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly resource: string;
  readonly target: SubscriptionTarget;
  readonly shownUrl: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly expiresAt: number;
  readonly flow?: boolean;
  readonly removedAt: number;
  readonly reason: RemovalReason;
  /** In words. */
  readonly detail: string;
  /** Who deleted it. */
  readonly by?: string;
}

/** Keyed `<time> <tenant>/<subscription id>`, so that the oldest come first. */
export const removals = collection<Removal>('business.removals', {
  fields: {
    subscriptionId: text((it) => it.subscriptionId),
    tenant: text((it) => it.tenantId),
    reason: text((it) => it.reason),
  },
  indexes: [['subscriptionId']],
});
