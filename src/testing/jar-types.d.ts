import type { ClockMode, Jar } from '../client/types/jar.d.ts';

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

/** The settings of `cloudjar start`, without the data folder. Neither the environment nor a file is read, unless `config` or `seed` names one. */
export interface StartJarOptions {
  /** Port of the HTTP server. A free one unless given. */
  readonly port?: number;
  /** Port of the HTTPS server. A free one unless given. */
  readonly httpsPort?: number;
  /** Port on which mail comes in by SMTP. A free one unless given. */
  readonly smtpPort?: number;
  /** Port of a name server for container groups, by UDP and TCP; 0 picks a free one. There is none unless given. */
  readonly dnsPort?: number;
  /** Address to listen on: `127.0.0.1` unless given. Beyond loopback, containers and other machines can reach the jar, and its seeded secrets are the admin key. */
  readonly host?: string;
  /** Addresses by which clients reach the jar, beside those of this machine. */
  readonly publicUrl?: readonly string[];
  /** `virtual` unless given: time stands still until the test moves it. */
  readonly clock?: ClockMode;
  /** Where a virtual clock begins: a date, or its ISO form. The system's time unless given. */
  readonly clockStart?: Date | string;
  /** Tokens, codes and sessions end by the jar's clock alone: those that a client library keeps are refused once time was moved past their end. */
  readonly strictTokenExpiry?: boolean;
  /** A PostgreSQL database instead of memory. */
  readonly databaseUrl?: string;
  /** A database that answers nothing for so many milliseconds counts as gone; 5000 unless given. */
  readonly databaseTimeoutMs?: number;
  /** How many calls may wait for a connection to the database; 1000 unless given. */
  readonly databaseQueue?: number;
  /** A Redis in which rates are counted, instead of memory. */
  readonly redisUrl?: string;
  /** A Redis that has not answered after so many milliseconds counts as gone; 2000 unless given. */
  readonly redisTimeoutMs?: number;
  /** What becomes of calls while that Redis does not answer; `count` unless given. */
  readonly redisFailure?: 'count' | 'open' | 'closed';
  /** `close` takes so many milliseconds at most; 20,000 unless given. */
  readonly shutdownTimeoutMs?: number;
  /** What runs container groups: `simulated` unless given, so that a test never depends on what its machine has. */
  readonly engine?: 'auto' | 'docker' | 'kubernetes' | 'simulated';
  /** Provider prefixes beside `Vendor`; `Microsoft` unless given. */
  readonly namespace?: readonly string[];
  /** Receivers of webhooks on this machine may have plain http addresses, such as `http://localhost:3000/hook`. */
  readonly allowHttpLoopback?: boolean;
  /** Key of the control API. A new one unless given. */
  readonly adminKey?: string;
  /** What secrets are encrypted with; jars that share a database need the same one. A new one unless given. */
  readonly secretKey?: string;
  /** A seed file instead of the built-in seed. */
  readonly seed?: string;
  /** A snapshot file, or its URL, that the jar begins with and that `reset` goes back to, state and clock. With `clockStart` the clock begins there instead. */
  readonly snapshot?: string | FileAddress;
  /** Of that file, where it was exported with one. */
  readonly passphrase?: string;
  /** How many days, by the jar's clock, change records are kept; 7 unless given. */
  readonly changeRetentionDays?: number;
  /** How many change records are kept; 100,000 unless given. */
  readonly changeRetentionCount?: number;
  /** How much memory large request bodies may take together, in megabytes; 256 unless given. */
  readonly largeBodyMegabytes?: number;
  /** How many large request bodies are read at once; 64 unless given. */
  readonly largeBodies?: number;
  /** `silent` unless given. Log lines go to the standard error output. */
  readonly logLevel?: LogLevel;
  /** How log lines are written: `auto` unless given, for people on a terminal and as JSON elsewhere. */
  readonly logFormat?: 'auto' | 'json' | 'pretty';
  /** A configuration file of `cloudjar start`. Its ports and its data folder are not used. */
  readonly config?: string;
  /** Settings of services, by their names: what `services` is in a configuration file. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Called for every request that was answered: what a program under test asked for, and what it got. */
  readonly observe?: (finished: FinishedCall) => void;
}

/** A URL of a file, such as `new URL('team.cloudjar.gz', import.meta.url)`. */
export interface FileAddress {
  readonly href: string;
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

/** A jar in the process of the test. */
export interface TestJar extends Jar {
  readonly httpsUrl: string;
  /** Where mail comes in by SMTP. */
  readonly smtpPort: number;
  /** The certificate (PEM) that HTTPS clients have to trust. */
  readonly ca: string;
  readonly clock: {
    now(): Date;
    advance(by: string | number): ReturnType<Jar['clock']['advance']>;
  };
  /**
   * From now on TLS clients of this thread trust the jar, beside the authorities that they trusted before: `fetch`, `node:https`, the
   * official SDKs. Ends with `close`, or when the function that it gives is called.
   */
  trust(): () => void;
  /**
   * Variables by which programs in child processes find the jar, trust it and sign in to it:
   * `spawn('python', ['program.py'], { env: { ...process.env, ...jar.env() } })`. With a token, also those that hold one (`DATABRICKS_TOKEN`,
   * `MLFLOW_TRACKING_TOKEN`). The certificate that they name is a temporary file, which `close` removes.
   */
  env(options?: { readonly token?: string }): Record<string, string>;
  /** Writes all state, and the time, to a file: for this jar alone, or for any jar with a passphrase or `portable`. */
  export(file: string | FileAddress, options?: ExportOptions): Promise<void>;
  /** Goes to the state and the time of such a file. */
  readonly import: (file: string | FileAddress, options?: ImportOptions) => Promise<ImportedState>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
