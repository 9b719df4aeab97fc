import type { TestFaults } from './faults-types.d.ts';
import type { TestInbox } from './inbox-types.d.ts';
import type { TestMailbox } from './mailbox-types.d.ts';

export type ClockMode = 'shifted' | 'virtual' | 'system';
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** A request that was answered. */
export interface FinishedCall {
  readonly call: { readonly method: string; readonly path: string };
  readonly service: string;
  readonly answer: { readonly status: number };
  /** The error behind the answer, if there was one. */
  readonly error: unknown;
  /** The fault rule that struck, if one did. */
  readonly fault?: string;
  readonly milliseconds: number;
}

export interface AdvanceResult {
  readonly now: number;
  /** How many work items ran on the way. */
  readonly fired: number;
}

export interface StartJarOptions {
  /** A free one unless given. */
  readonly port?: number;
  readonly httpsPort?: number;
  readonly smtpPort?: number;
  /** `virtual` unless given: time stands still until the test moves it. */
  readonly clock?: ClockMode;
  /** Where a virtual clock begins: a date, or its ISO form. The system's time unless given. */
  readonly clockStart?: Date | string;
  /** Tokens, codes and sessions end by the jar's clock alone: those that a client library keeps are refused once time was moved past their end. */
  readonly strictTokenExpiry?: boolean;
  /** Addresses by which clients reach the jar, beside those of this machine. */
  readonly publicUrl?: readonly string[];
  /** Receivers of webhooks on this machine may have plain http addresses, such as `http://localhost:3000/hook`. */
  readonly allowHttpLoopback?: boolean;
  /** A PostgreSQL database instead of memory. */
  readonly databaseUrl?: string;
  /** A database that answers nothing for so long counts as gone; 5000 unless given. */
  readonly databaseTimeoutMs?: number;
  /** A Redis in which rates are counted, instead of memory. */
  readonly redisUrl?: string;
  /** What becomes of calls while that Redis does not answer; `count` unless given. */
  readonly redisFailure?: 'count' | 'open' | 'closed';
  /** What secrets are encrypted with; jars that share a database need the same one. A new one unless given. */
  readonly secretKey?: string;
  /** A seed file instead of the built-in seed: JSON, or a snapshot file. */
  readonly seed?: string;
  /** A snapshot file, or its URL, that the jar begins with and that `reset` goes back to, state and clock. With `clockStart` the clock begins there instead. */
  readonly snapshot?: string | URL;
  /** Of that file, where it was exported with one. */
  readonly passphrase?: string;
  /** Provider prefixes beside `Vendor`. */
  readonly namespace?: readonly string[];
  /** What runs container groups: `simulated` unless given, so that a test never depends on what its machine has. */
  readonly engine?: 'auto' | 'docker' | 'kubernetes' | 'simulated';
  /** Settings of services, by their names: what `services` is in a configuration file. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly logLevel?: LogLevel;
  /** Called for every request that was answered: what a program under test asked for, and what it got. */
  readonly observe?: (finished: FinishedCall) => void;
}

export interface ExportOptions {
  /** Encrypts the file, which any jar then opens that is given it: at least 8 characters. */
  readonly passphrase?: string;
  /** Leaves out every secret; any jar opens the file. */
  readonly portable?: boolean;
}

export interface ImportOptions {
  readonly passphrase?: string;
  /** False only keeps the snapshot, for a later `restore`. */
  readonly restore?: boolean;
  /** What the snapshot is called; the name of the file unless given. */
  readonly name?: string;
}

export interface ImportedState {
  /** Of the snapshot, for `restore`. */
  readonly name: string;
  /** What a file without secrets did not bring, a line for each kind. */
  readonly leftOut: readonly string[];
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

export interface TestJar {
  readonly url: string;
  readonly httpsUrl: string;
  /** Where mail comes in by SMTP. */
  readonly smtpPort: number;
  readonly adminKey: string;
  /** The certificate (PEM) that HTTPS clients have to trust. */
  readonly ca: string;
  token(options?: TokenOptions): Promise<string>;
  keys(): Promise<JarKeys>;
  readonly clock: {
    now(): Date;
    /** Moves time on (`'36h'`, `'PT36H'`, milliseconds), runs what falls due on the way, and resolves when it is quiet. */
    advance(by: string | number): Promise<AdvanceResult>;
  };
  /** What is to go wrong on order. */
  readonly faults: TestFaults;
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
  /** Writes all state, and the time, to a file: for this jar alone, or for any jar with a passphrase or `portable`. */
  export(file: string | URL, options?: ExportOptions): Promise<void>;
  /** Goes to the state and the time of such a file. */
  readonly import: (file: string | URL, options?: ImportOptions) => Promise<ImportedState>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
