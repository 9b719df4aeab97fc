import { openJar, type RunningJar } from '../jar/index.ts';
import type { AdvanceResult, ClockMode } from '../kernel/clock/types.ts';
import { loadConfig, type ServiceSettings } from '../kernel/config/config.ts';
import type { Finished } from '../kernel/http/server.ts';
import type { Service } from '../kernel/service/service.ts';
import type { LogLevel } from '../kernel/telemetry/log.ts';
import { controlOf } from './control.ts';
import { type TestFaults, testFaults } from './faults.ts';
import { type TestInbox, testInbox } from './inbox.ts';
import { testMailbox } from './mailbox.ts';
import type { TestMailbox } from './mailbox-types.ts';

export type { FaultOrder, OrderedFault, TestFaults } from './faults.ts';
export type { InboxBehaviour, ReceivedRequest, TestInbox } from './inbox.ts';
export type {
  MessageFilter,
  SentMail,
  TestAttachment,
  TestEvent,
  TestMail,
  TestMailbox,
  TestMeeting,
  TestMessage,
} from './mailbox-types.ts';

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
  /** A seed file instead of the built-in seed. */
  readonly seed?: string;
  /** Provider prefixes beside `Vendor`. */
  readonly namespace?: readonly string[];
  /** What runs container groups: `simulated` unless given, so that a test never depends on what its machine has. */
  readonly engine?: 'auto' | 'docker' | 'kubernetes' | 'simulated';
  /** Settings of services, by their names: what `services` is in a configuration file. */
  readonly settings?: ServiceSettings;
  readonly logLevel?: LogLevel;
  /** Services instead of the built-in ones. */
  readonly services?: readonly Service[];
  /** Told of every request that was answered: what a program under test asked for, and what it got. */
  readonly observe?: (finished: Finished) => void;
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
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a jar inside the test's own process: in memory, on free ports, with a clock that stands still.
 *
 * ```ts
 * const jar = await startJar();
 * await fetch(`${jar.url}/subscriptions?api-version=2022-12-01`, { headers: { authorization: `Bearer ${await jar.token()}` } });
 * await jar.clock.advance('3d');
 * await jar.close();
 * ```
 */
export async function startJar(options: StartJarOptions = {}): Promise<TestJar> {
  const { services, settings, logLevel, observe, clockStart, namespace, publicUrl, ...given } = options;
  const flags = {
    port: 0,
    httpsPort: 0,
    smtpPort: 0,
    clock: 'virtual',
    engine: 'simulated',
    ...(options.databaseUrl === undefined && { memory: true }),
    ...given,
    ...(clockStart !== undefined && { clockStart: clockStart instanceof Date ? clockStart.toISOString() : clockStart }),
    ...(publicUrl && { publicUrl: [...publicUrl] }),
    ...(namespace && { namespace: [...namespace] }),
  };
  // Neither the environment nor a file: a test means what it says.
  const config = loadConfig({ flags, env: {}, cwd: '/', ...(settings && { services: settings }) });
  const running = await openJar({ config, inProcess: true, ...(services && { services }), logLevel, observe });
  return testJar(running, await running.ca());
}

function testJar(running: RunningJar, ca: string): TestJar {
  const control = controlOf(running);
  const inboxes = new Map<string, TestInbox>();
  const given = new Set<string>();
  /** What was given out by the time of each snapshot. */
  const givenBy = new Map<string, readonly string[]>();
  return {
    url: running.url,
    httpsUrl: running.httpsUrl,
    smtpPort: running.jar.addresses.smtpPort,
    adminKey: running.adminKey,
    ca,
    async token(options = {}) {
      const issued = await control.ask<{ access_token: string }>('POST', '/_jar/tokens', options);
      return issued.access_token;
    },
    keys: () => control.ask<JarKeys>('GET', '/_jar/keys'),
    clock: { now: () => new Date(running.jar.clock.now()), advance: (by) => running.advance(by) },
    faults: testFaults(control),
    inbox(name) {
      // One for each name: what `next` gave out once it gives to nobody else.
      const inbox = inboxes.get(name) ?? testInbox(running, name, given);
      inboxes.set(name, inbox);
      return inbox;
    },
    mailbox: (user) => testMailbox(running, control, user, given),
    settled: () => running.settled(),
    reset: () => running.reset(),
    async snapshot(name) {
      await running.snapshots.save(name);
      givenBy.set(name, [...given]);
    },
    async restore(name) {
      await running.snapshots.restore(name);
      given.clear();
      for (const etag of givenBy.get(name) ?? []) given.add(etag);
    },
    close: () => running.close(),
    [Symbol.asyncDispose]: () => running.close(),
  };
}
