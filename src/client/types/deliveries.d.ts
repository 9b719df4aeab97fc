export type DeliveryState = 'queued' | 'delivered' | 'dead-lettered' | 'dropped' | 'cancelled';

/** One attempt to deliver a message. */
export interface DeliveryAttempt {
  readonly number: number;
  readonly at: string;
  /** How long the receiver took. */
  readonly ms: number;
  readonly status?: number;
  readonly outcome: string;
  readonly error?: string;
  /** The beginning of the receiver's answer. */
  readonly response?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Which rule decided what happens next. */
  readonly rule: string;
  readonly nextAt?: string;
  /** The fault rule that struck, if one did. */
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
  /** Without its query, which may hold a secret. */
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

/** With what the list leaves out. */
export interface DeliveryDetail extends Delivery {
  /** Secrets are redacted. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The first few attempts and the last few. */
  readonly history: readonly DeliveryAttempt[];
}

/** Which deliveries; all that is given has to hold. */
export interface DeliveryFilter {
  readonly state?: DeliveryState;
  readonly service?: string;
  readonly policy?: string;
  readonly owner?: string;
  readonly destination?: string;
  readonly subject?: string;
  /** Of the last attempt. */
  readonly outcome?: string;
  readonly status?: number;
  /** When it was queued, by the jar's clock. */
  readonly from?: string;
  readonly to?: string;
}

/** What the jar sends, and what came of it. */
export interface JarDeliveries {
  /** The newest first. */
  list(filter?: DeliveryFilter): Promise<Delivery[]>;
  get(id: string): Promise<DeliveryDetail>;
  /** Sends a delivery once more, with all attempts and the whole time to live before it. */
  replay(id: string): Promise<void>;
  /** Removes the deliveries that match, all of them without a filter, and resolves to how many; queued ones are then not sent. */
  clear(filter?: DeliveryFilter): Promise<number>;
}
