import type { JarDeliveries } from './deliveries.d.ts';
import type { TestFaults } from './faults.d.ts';
import type { TestInbox } from './inbox.d.ts';
import type { JarLimits } from './limits.d.ts';
import type { TestMailbox } from './mailbox.d.ts';

export type ClockMode = 'shifted' | 'virtual' | 'system';

export interface AdvanceResult {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How many work items ran on the way. */
  readonly fired: number;
}

export interface TokenOptions {
  /** A seeded user or application, such as `licensed`; the administrator unless given. */
  readonly user?: string;
  readonly scope?: string;
  readonly audience?: string;
  readonly ttl?: string;
  /** Further claims, such as `xms_mirid` of a managed identity. */
  readonly claims?: Readonly<Record<string, string>>;
}

/** A key for each service that takes keys. */
export interface JarKeys {
  /** A subscription key, for the header `Ocp-Apim-Subscription-Key`. */
  readonly translator: string;
  /** A full API token of the seeded account, for the header `X-API-Token`. Not there where a seed of one's own gives nobody a token. */
  readonly lifecycle: string;
}

export interface JarHealth {
  /** `degraded` where something does not work that the jar depends on. */
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

/** What a test can do with a jar, whether it runs in the process of the test (`startJar`) or elsewhere (`connectJar`). */
export interface Jar {
  readonly url: string;
  readonly adminKey: string;
  /** Whether the jar can answer calls, and what does not work. */
  health(): Promise<JarHealth>;
  token(options?: TokenOptions): Promise<string>;
  keys(): Promise<JarKeys>;
  readonly clock: {
    now(): Date | Promise<Date>;
    /** Moves time on (`'36h'`, `'PT36H'`, milliseconds), runs what falls due on the way, and resolves when it is quiet. */
    advance(by: string | number): Promise<AdvanceResult>;
  };
  /** What is to go wrong on order. */
  readonly faults: TestFaults;
  /** What the jar sends, and what came of it. */
  readonly deliveries: JarDeliveries;
  /** Rate limits and quotas. */
  readonly limits: JarLimits;
  /** A receiver for webhooks and events inside the jar: it answers handshakes and keeps what it gets. */
  inbox(name: string): TestInbox;
  /** The mailbox of a user, who is named by an alias (`admin`) or an address: what has come, what is to come, and mail into it. */
  mailbox(user: string): TestMailbox;
  /** Resolves when nothing is due or running. */
  settled(): Promise<void>;
  /** Back to the seed, state and clock. */
  reset(): Promise<void>;
  /** Keeps all state, and the time, under a name. */
  snapshot(name: string): Promise<void>;
  /** Back to what `snapshot` has kept under that name, state and clock: what was prepared once serves every test. */
  restore(name: string): Promise<void>;
  /** By their names. */
  snapshots(): Promise<JarSnapshot[]>;
  deleteSnapshot(name: string): Promise<void>;
}
