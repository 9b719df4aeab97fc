import type { JarDeliveries } from './deliveries.d.ts';
import type { TestFaults } from './faults.d.ts';
import type { TestInbox } from './inbox.d.ts';
import type { JarLimits } from './limits.d.ts';
import type { TestMailbox } from './mailbox.d.ts';

export type ClockMode = 'shifted' | 'virtual' | 'system';

export interface AdvanceResult {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Number of work items that ran during the advance. */
  readonly fired: number;
}

export interface TokenOptions {
  /** A seeded user or application, such as `licensed`. Default: the administrator. */
  readonly user?: string;
  readonly scope?: string;
  readonly audience?: string;
  readonly ttl?: string;
  /** Additional claims, such as `xms_mirid` of a managed identity. */
  readonly claims?: Readonly<Record<string, string>>;
}

/** A key for each service that uses keys. */
export interface JarKeys {
  /** A subscription key, for the header `Ocp-Apim-Subscription-Key`. */
  readonly translator: string;
  /** An API token of the seeded account with full access, for the header `X-API-Token`. Missing if a custom seed gives no user a token. */
  readonly lifecycle: string;
}

export interface JarHealth {
  /** `degraded` if something that the jar depends on does not work. */
  readonly status: 'ready' | 'degraded';
  readonly troubles?: readonly { readonly part: string; readonly reason: string }[];
  readonly version: string;
  readonly store: string;
  readonly clock: string;
  readonly now: string;
}

export interface JarSnapshot {
  readonly name: string;
  readonly takenAt: string;
  readonly engine: string;
  readonly version: string;
  readonly imported: boolean;
  readonly sizes: { readonly content: number; readonly stored: number };
  readonly counts: {
    readonly documents: number;
    readonly rows?: number;
    readonly work: number;
    readonly changes: number;
    readonly collections: Readonly<Record<string, number>>;
  };
}

/** The functions for tests, whether the jar runs in the process of the test (`startJar`) or elsewhere (`connectJar`). */
export interface Jar {
  readonly url: string;
  readonly adminKey: string;
  /** Whether the jar can answer calls, and its current troubles. */
  health(): Promise<JarHealth>;
  token(options?: TokenOptions): Promise<string>;
  keys(): Promise<JarKeys>;
  readonly clock: {
    now(): Date | Promise<Date>;
    /** Advances the clock (`'36h'`, `'PT36H'`, milliseconds), runs the work that falls due, and resolves when no work is left. */
    advance(by: string | number): Promise<AdvanceResult>;
  };
  /** Fault rules. */
  readonly faults: TestFaults;
  /** Messages that the jar sends, and their outcomes. */
  readonly deliveries: JarDeliveries;
  /** Rate limits and quotas. */
  readonly limits: JarLimits;
  /** A receiver for webhooks and events inside the jar: it answers handshakes and keeps the requests. */
  inbox(name: string): TestInbox;
  /**
   * The mailbox of a user, named by an alias (`admin`) or an address: received messages, waiting for new ones, and sending mail into it.
   */
  mailbox(user: string): TestMailbox;
  /** Resolves when no work is due or running. */
  settled(): Promise<void>;
  /** Resets state and clock to the seed. */
  reset(): Promise<void>;
  /** Saves all state and the time under a name. */
  snapshot(name: string): Promise<void>;
  /** Restores state and clock from the snapshot of that name, so that one preparation serves many tests. */
  restore(name: string): Promise<void>;
  /** Ordered by name. */
  snapshots(): Promise<JarSnapshot[]>;
  deleteSnapshot(name: string): Promise<void>;
}
