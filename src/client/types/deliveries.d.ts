export type DeliveryState = 'queued' | 'delivered' | 'dead-lettered' | 'dropped' | 'cancelled';

/** One attempt to deliver a message. */
export interface DeliveryAttempt {
  readonly number: number;
  readonly at: string;
  /** Duration in milliseconds until the receiver's answer. */
  readonly ms: number;
  readonly status?: number;
  readonly outcome: string;
  readonly error?: string;
  /** The beginning of the receiver's response body. */
  readonly response?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The retry rule that decided the next step. */
  readonly rule: string;
  readonly nextAt?: string;
  /** The fault rule that applied, if any. */
  readonly fault?: string;
}

/** A message that the jar sends: an event, a webhook, a dead letter. Times are ISO 8601 in UTC. */
export interface Delivery {
  readonly id: string;
  readonly state: DeliveryState;
  readonly service: string;
  readonly policy: string;
  readonly destination: string;
  readonly owner?: string;
  readonly subject?: string;
  /** Without the query string, which may contain a secret. */
  readonly address: string;
  readonly createdAt: string;
  readonly dueAt?: string;
  readonly expiresAt?: string;
  readonly endedAt?: string;
  readonly cause?: string;
  readonly rule?: string;
  readonly attempts: number;
  readonly replays: number;
  readonly bodyBytes: number;
  readonly lastAttempt?: DeliveryAttempt;
}

/** A delivery with the details that the list omits. */
export interface DeliveryDetail extends Delivery {
  /** Secrets are redacted. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The first few attempts and the last few. */
  readonly history: readonly DeliveryAttempt[];
}

/** Selects deliveries; all given conditions must match. */
export interface DeliveryFilter {
  readonly state?: DeliveryState;
  readonly service?: string;
  readonly policy?: string;
  readonly owner?: string;
  readonly destination?: string;
  readonly subject?: string;
  /** Outcome of the last attempt. */
  readonly outcome?: string;
  readonly status?: number;
  /** Time of enqueuing, by the jar's clock. */
  readonly from?: string;
  readonly to?: string;
}

/** Messages that the jar sends, and their outcomes. */
export interface JarDeliveries {
  /** Newest first. */
  list(filter?: DeliveryFilter): Promise<Delivery[]>;
  get(id: string): Promise<DeliveryDetail>;
  /** Sends a delivery again, with a full number of attempts and a full time to live. */
  replay(id: string): Promise<void>;
  /** Removes the matching deliveries (all of them without a filter) and resolves to their number; queued ones are not sent any more. */
  clear(filter?: DeliveryFilter): Promise<number>;
}
