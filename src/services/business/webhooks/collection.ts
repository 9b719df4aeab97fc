import { newClientState, plainAddress } from '../../../kernel/delivery/index.ts';
import { boolean, collection, number, text } from '../../../kernel/store/index.ts';

/** The watched resource, as resolved at registration. */
export interface SubscriptionTarget {
  /** The API of the watched page: `v2.0`, `contoso/fleet/v1.0`. */
  readonly route: string;
  /** For example `customers`. */
  readonly set: string;
  /** For example `customer`. */
  readonly entity: string;
  /** Table of the page: a change to one of its records is a change for this subscription. */
  readonly table: string;
  readonly companyKey: string;
  readonly companyId: string;
  readonly companyName: string;
  /** Key property of the page, and how its keys are written: guids and numbers directly, texts in quotes. */
  readonly keyProperty: string;
  readonly keyKind: 'guid' | 'string' | 'number';
  /** True if the page shows `lastModifiedDateTime`, by which collection notifications filter. */
  readonly showsLastModified: boolean;
}

export interface Subscription {
  /** 32 hexadecimal digits. */
  readonly subscriptionId: string;
  readonly tenantId: string;
  /** As registered, with or without its leading slash. */
  readonly resource: string;
  readonly target: SubscriptionTarget;
  /** The address for display, without parts that may be secret. */
  readonly shownUrl: string;
  /** The same for all subscriptions of one company to one address: one notification serves them all. */
  readonly address: string;
  /** The full address and the client state, sealed; see `secrets.ts`. */
  readonly secrets: string;
  /** User who created the subscription. */
  readonly userId: string;
  readonly modifiedBy: string;
  /** Milliseconds of the jar's clock. */
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly expiresAt: number;
  /** Created by a flow of the automation connector, which cannot process collection notifications. */
  readonly flow?: boolean;
  /** How often the subscription was changed to watch another resource; pending changes with an older count are dropped. */
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
      'Client states were regenerated. Addresses with a query, which may be a key, are lost: these subscriptions have to be renewed with their whole address',
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
 * `deleted` by a client; `expired` without renewal; `refused` by the receiver's answer; `undeliverable` within the retry window; `obsolete`
 * because the watched resource no longer exists.
 */
export type RemovalReason = 'deleted' | 'expired' | 'refused' | 'undeliverable' | 'obsolete';

export const REMOVAL_REASONS: readonly RemovalReason[] = ['deleted', 'expired', 'refused', 'undeliverable', 'obsolete'];

/** Record of a removed subscription: when and why it was removed. */
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
  /** Explanation. */
  readonly detail: string;
  /** User who deleted it. */
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
