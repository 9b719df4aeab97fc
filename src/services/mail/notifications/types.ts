import type { Version } from '../api/version.ts';

export const CHANGE_TYPES = ['created', 'updated', 'deleted'] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

export type LifecycleEvent = 'reauthorizationRequired' | 'subscriptionRemoved' | 'missed';

/** The watched resource of a subscription. */
export interface Target {
  /** Id of the mailbox. */
  readonly mailbox: string;
  readonly item: 'message' | 'event';
  /** Uid of the watched folder; absent for all folders. */
  readonly folder?: string;
  readonly filter?: string;
  readonly select?: string;
  /** Expansion of extended properties. */
  readonly expand?: string;
}

/** A subscription to changes of a mailbox. The key is its id. */
export interface Subscription extends Target {
  readonly id: string;
  readonly tenantId: string;
  readonly applicationId: string;
  /** Object id of the user, or of the application's service principal. */
  readonly creatorId: string;
  readonly isDelegated: boolean;
  /** The resource path as the client sent it. */
  readonly resource: string;
  readonly changeType: string;
  readonly changeTypes: readonly ChangeType[];
  /** `SubscriptionSecrets`, sealed: addresses can contain keys, and the client state is a secret. */
  readonly secrets: string;
  readonly hasLifecycle: boolean;
  readonly resourceData?: ResourceData;
  readonly latestSupportedTlsVersion: string;
  readonly notificationUrlAppId?: string;
  /** Notifications use the id form that the client preferred when it subscribed. */
  readonly immutableIds: boolean;
  /** Resource data leaves out content, since the token had only a basic permission. */
  readonly isBasic: boolean;
  readonly version: Version;
  /** The origin by which the client reached the jar; receivers find the keys of validation tokens there. */
  readonly origin: string;
  /** By the jar's clock. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When a token was last used for the subscription, and when that token expires. */
  readonly authorizedAt: number;
  readonly authorizedUntil: number;
  /** End of the receiver's latest state in which notifications were dropped. One lifecycle notification covers all of them. */
  readonly lostUntil?: number;
}

export interface ResourceData {
  /** DER in base64. */
  readonly certificate: string;
  readonly certificateId: string;
}

export interface SubscriptionSecrets {
  readonly notificationUrl: string;
  readonly lifecycleNotificationUrl?: string;
  readonly clientState?: string;
}

/** A queued notification. Properties of the subscription, such as its client state, are added when it is sent. */
export interface QueuedNotification {
  readonly id: string;
  /** Used if the message is sent after the subscription has ended. */
  readonly subscription: Pick<Subscription, 'id' | 'mailbox' | 'item' | 'tenantId' | 'expiresAt'>;
  readonly changeType: ChangeType;
  readonly itemId: string;
  readonly etag?: string;
  /** Encrypted when it is sent. */
  readonly content?: Readonly<Record<string, unknown>>;
}

/** Recent response times of a receiver. The key is the tenant and the address (`notifications/endpoints.ts`). */
export interface Endpoint {
  readonly tenantId: string;
  /** Without the query, which can contain keys. */
  readonly address: string;
  /** The last ten minutes. */
  readonly minutes: readonly Minute[];
  /** The latest state, which may have ended. Absent once the receiver has recovered. */
  readonly state?: EndpointState;
  /** Number of dropped notifications. */
  readonly lost: number;
  readonly lastAt: number;
}

export interface EndpointState {
  readonly is: 'slow' | 'drop';
  readonly until: number;
}

/** Responses within a minute: all, those over 3 seconds, and those over 10 seconds. */
export interface Minute {
  readonly minute: number;
  readonly answers: number;
  readonly slow: number;
  readonly late: number;
}
