import type { ClockMode, Jar } from '../client/types/jar.d.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** An answered request. */
export interface FinishedCall {
  readonly call: { readonly method: string; readonly path: string };
  readonly service: string;
  readonly answer: { readonly status: number };
  /** The error that caused the answer, if any. */
  readonly error: unknown;
  /** The fault rule that applied, if any. */
  readonly fault?: string;
  readonly milliseconds: number;
}

/** The settings of `cloudjar start`, without the data folder. Neither the environment nor a file is read, unless `config` or `seed` names one. */
export interface StartJarOptions {
  /** Port of the HTTP server. Default: a free port. */
  readonly port?: number;
  /** Port of the HTTPS server. Default: a free port. */
  readonly httpsPort?: number;
  /** SMTP port for incoming mail. Default: a free port. */
  readonly smtpPort?: number;
  /** Port of a name server for container groups, on UDP and TCP; 0 picks a free one. Default: no name server. */
  readonly dnsPort?: number;
  /** Address to listen on. Default: `127.0.0.1`. Beyond loopback, other machines reach the jar, and its seeded secrets are the admin key. */
  readonly host?: string;
  /** Addresses by which clients reach the jar, in addition to those of this machine. */
  readonly publicUrl?: readonly string[];
  /** Default: `virtual`; time stands still until the test advances it. */
  readonly clock?: ClockMode;
  /** Start of a virtual clock: a date, or its ISO form. Default: the system time. */
  readonly clockStart?: Date | string;
  /** Tokens, codes and sessions expire by the jar's clock only: advancing it past their expiry ends those that clients have cached. */
  readonly strictTokenExpiry?: boolean;
  /** A PostgreSQL database instead of memory. */
  readonly databaseUrl?: string;
  /** Milliseconds without an answer after which the database counts as unreachable. Default: 5000. */
  readonly databaseTimeoutMs?: number;
  /** Maximum number of calls that wait for a database connection. Default: 1000. */
  readonly databaseQueue?: number;
  /** A Redis that counts rates, instead of memory. */
  readonly redisUrl?: string;
  /** Milliseconds without an answer after which Redis counts as unreachable. Default: 2000. */
  readonly redisTimeoutMs?: number;
  /** How calls are handled while Redis is unreachable. Default: `count`. */
  readonly redisFailure?: 'count' | 'open' | 'closed';
  /** Maximum duration of `close` in milliseconds. Default: 20,000. */
  readonly shutdownTimeoutMs?: number;
  /** Engine that runs container groups. Default: `simulated`, so that a test does not depend on its machine. */
  readonly engine?: 'auto' | 'docker' | 'kubernetes' | 'simulated';
  /** Provider prefixes in addition to `Vendor`. Default: `Microsoft`. */
  readonly namespace?: readonly string[];
  /** Allows plain HTTP addresses for webhook receivers on this machine, such as `http://localhost:3000/hook`. */
  readonly allowHttpLoopback?: boolean;
  /** Key of the control API. Default: a new key. */
  readonly adminKey?: string;
  /** Encryption key for secrets; jars that share a database need the same one. Default: a new key. */
  readonly secretKey?: string;
  /** A seed file instead of the built-in seed. */
  readonly seed?: string;
  /** A snapshot file, or its URL, as the initial state of the jar and of `reset`, including the clock. `clockStart` overrides the clock. */
  readonly snapshot?: string | FileAddress;
  /** Passphrase of the snapshot file, if it was exported with one. */
  readonly passphrase?: string;
  /** Number of days, by the jar's clock, that change records are kept. Default: 7. */
  readonly changeRetentionDays?: number;
  /** Number of change records that are kept. Default: 100,000. */
  readonly changeRetentionCount?: number;
  /** Memory for all large request bodies together, in megabytes. Default: 256. */
  readonly largeBodyMegabytes?: number;
  /** Number of large request bodies that are read at once. Default: 64. */
  readonly largeBodies?: number;
  /** Default: `silent`. Log lines go to standard error. */
  readonly logLevel?: LogLevel;
  /** Format of log lines. Default: `auto`, which is readable text on a terminal and JSON elsewhere. */
  readonly logFormat?: 'auto' | 'json' | 'pretty';
  /** A configuration file of `cloudjar start`. Its ports and its data folder are ignored. */
  readonly config?: string;
  /** Settings of services by service name: the same as `services` in a configuration file. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Called for every answered request of the program under test. */
  readonly observe?: (finished: FinishedCall) => void;
}

/** A file URL, such as `new URL('team.cloudjar.gz', import.meta.url)`. */
export interface FileAddress {
  readonly href: string;
}

export interface ExportOptions {
  /** Encrypts the file with a passphrase of at least 8 characters; any jar can open it with the passphrase. */
  readonly passphrase?: string;
  /** Leaves out all secrets; any jar can open the file. */
  readonly portable?: boolean;
}

export interface ImportOptions {
  readonly passphrase?: string;
  /** If false, the snapshot is only stored, for a later `restore`. */
  readonly restore?: boolean;
  /** Name of the snapshot. Default: the name of the file. */
  readonly name?: string;
}

export interface ImportedState {
  /** Name of the snapshot, for `restore`. */
  readonly name: string;
  /** Secrets that a portable file does not contain, one line per kind. */
  readonly leftOut: readonly string[];
}

/** A jar in the process of the test. */
export interface TestJar extends Jar {
  readonly httpsUrl: string;
  /** SMTP port for incoming mail. */
  readonly smtpPort: number;
  /** The CA certificate (PEM) that HTTPS clients must trust. */
  readonly ca: string;
  readonly clock: {
    now(): Date;
    advance(by: string | number): ReturnType<Jar['clock']['advance']>;
  };
  /**
   * Makes TLS clients of this thread trust the jar, in addition to the CAs that they already trust: `fetch`, `node:https`, the official
   * SDKs. Ends with `close`, or when the returned function is called.
   */
  trust(): () => void;
  /**
   * Environment variables with which programs in child processes find the jar, trust it and sign in to it: `spawn('python', ['program.py'],
   * { env: { ...process.env, ...jar.env() } })`. With a token, also the variables that contain one (`DATABRICKS_TOKEN`,
   * `MLFLOW_TRACKING_TOKEN`). The certificate that they name is a temporary file, which `close` removes.
   */
  env(options?: { readonly token?: string }): Record<string, string>;
  /** Writes all state and the time to a file: only for this jar, or for any jar with a passphrase or `portable`. */
  export(file: string | FileAddress, options?: ExportOptions): Promise<void>;
  /** Restores state and time from such a file. */
  readonly import: (file: string | FileAddress, options?: ImportOptions) => Promise<ImportedState>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
