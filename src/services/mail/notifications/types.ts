import type { Version } from '../api/version.ts';

export const CHANGE_TYPES = ['created', 'updated', 'deleted'] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

export type LifecycleEvent = 'reauthorizationRequired' | 'subscriptionRemoved' | 'missed';

/** What a subscription watches. */
export interface Target {
  /** The id of the mailbox. */
  readonly mailbox: string;
  readonly item: 'message' | 'event';
  /** The uid of the only folder that counts. */
  readonly folder?: string;
  readonly filter?: string;
  readonly select?: string;
  /** Of extended properties. */
  readonly expand?: string;
}

/** A subscription to changes of a mailbox. Its id is its key. */
export interface Subscription extends Target {
  readonly id: string;
  readonly tenantId: string;
  readonly applicationId: string;
  /** The object id of the user, or of the application's service principal. */
  readonly creatorId: string;
  readonly isDelegated: boolean;
  /** As it was written. */
  readonly resource: string;
  readonly changeType: string;
  readonly changeTypes: readonly ChangeType[];
  /** `SubscriptionSecrets`, sealed: addresses carry keys, and the client state is one. */
  readonly secrets: string;
  readonly hasLifecycle: boolean;
  readonly resourceData?: ResourceData;
  readonly latestSupportedTlsVersion: string;
  readonly notificationUrlAppId?: string;
  /** Ids in notifications are of the form that the client preferred when it subscribed. */
  readonly immutableIds: boolean;
  /** Resource data leaves out content, since the token had a basic permission alone. */
  readonly isBasic: boolean;
  readonly version: Version;
  /** How the client reached the jar: where the keys of validation tokens are found. */
  readonly origin: string;
  /** By the jar's clock. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When a token was last used for it, and when that token ends. */
  readonly authorizedAt: number;
  readonly authorizedUntil: number;
  /** The end of the latest state of its receiver in which notifications were dropped: one lifecycle notification tells all of them. */
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

/** A notification as it is queued. What is the subscription's own, its client state above all, is put in when it is sent. */
export interface QueuedNotification {
  readonly id: string;
  /** For a message that is sent although the subscription has ended meanwhile. */
  readonly subscription: Pick<Subscription, 'id' | 'mailbox' | 'item' | 'tenantId' | 'expiresAt'>;
  readonly changeType: ChangeType;
  readonly itemId: string;
  readonly etag?: string;
  /** Encrypted when it is sent. */
  readonly content?: Readonly<Record<string, unknown>>;
}

/** How fast a receiver has answered lately. By the tenant and the address (`notifications/endpoints.ts`). */
export interface Endpoint {
  readonly tenantId: string;
  /** Without the query: addresses carry keys. */
  readonly address: string;
  /** Of the last ten minutes. */
  readonly minutes: readonly Minute[];
  /** The latest one; it may be over. Absent once the receiver has recovered. */
  readonly state?: EndpointState;
  /** Notifications that were dropped. */
  readonly lost: number;
  readonly lastAt: number;
}

export interface EndpointState {
  readonly is: 'slow' | 'drop';
  readonly until: number;
}

/** Answers within a minute: all, those over 3 seconds, and those over 10 seconds. */
export interface Minute {
  readonly minute: number;
  readonly answers: number;
  readonly slow: number;
  readonly late: number;
}
