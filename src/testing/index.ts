<<<<<<< HEAD
import { resolve } from 'node:path';
import { openJar, type RunningJar } from '../jar/index.ts';
import { didYouMean, loadConfig, SETTINGS } from '../kernel/config/config.ts';
import type { Finished } from '../kernel/http/server.ts';
import type { Service } from '../kernel/service/service.ts';
import { controlOf } from './control.ts';
import { testFaults } from './faults.ts';
import { testInbox } from './inbox.ts';
import type { TestInbox } from './inbox-types.d.ts';
import type { JarKeys, StartJarOptions as PublicOptions, TestJar } from './jar-types.d.ts';
import { testMailbox } from './mailbox.ts';
import { exportState, importState, pathOf } from './state-files.ts';

export type { FaultOrder, OrderedFault, TestFaults } from './faults-types.d.ts';
export type { InboxBehaviour, ReceivedRequest, TestInbox } from './inbox-types.d.ts';
export type { ExportOptions, ImportedState, ImportOptions, JarKeys, TestJar, TokenOptions } from './jar-types.d.ts';
=======
import { openInProcess } from './in-process.ts';
import { starter } from './start.ts';

export { JarError } from '../client/error.ts';
export type { FaultOrder, OrderedFault, TestFaults } from '../client/types/faults.d.ts';
export type { InboxBehaviour, ReceivedRequest, TestInbox } from '../client/types/inbox.d.ts';
export type { Jar, JarKeys, TokenOptions } from '../client/types/jar.d.ts';
>>>>>>> main
export type {
  MessageFilter,
  SentMail,
  TestAttachment,
  TestEvent,
  TestKeptMail,
  TestMail,
  TestMailbox,
  TestMeeting,
  TestMessage,
} from '../client/types/mailbox.d.ts';
export type { StartJarOptions } from './in-process.ts';
export type { TestJar } from './jar-types.d.ts';

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
<<<<<<< HEAD
export async function startJar(options: StartJarOptions = {}): Promise<TestJar> {
  checkOptions(options);
  const { services, settings, logLevel, observe, clockStart, namespace, publicUrl, snapshot, ...given } = options;
  const flags = {
    port: 0,
    httpsPort: 0,
    smtpPort: 0,
    clock: 'virtual',
    engine: 'simulated',
    ...(options.databaseUrl === undefined && { memory: true }),
    ...given,
    ...(snapshot !== undefined && { seed: resolve(pathOf(snapshot)) }),
    ...(clockStart !== undefined && { clockStart: clockStart instanceof Date ? clockStart.toISOString() : clockStart }),
    ...(publicUrl && { publicUrl: [...publicUrl] }),
    ...(namespace && { namespace: [...namespace] }),
  };
  // Neither the environment nor a file: a test means what it says.
  const config = loadConfig({ flags, env: {}, cwd: '/', ...(settings && { services: settings }) });
  const running = await openJar({ config, inProcess: true, ...(services && { services }), logLevel, observe });
  return testJar(running, await running.ca());
}

const OTHER_OPTIONS: readonly string[] = ['snapshot', 'services', 'settings', 'logLevel', 'observe'];

/** A program in JavaScript has no compiler that finds the misspelt name. */
function checkOptions(options: StartJarOptions): void {
  const known = [...Object.keys(SETTINGS), ...OTHER_OPTIONS];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (options.seed !== undefined && options.snapshot !== undefined)
    throw new Error('startJar has both a seed and a snapshot; give one of them');
  if (unknown === undefined) return;
  const near = didYouMean(unknown, known);
  throw new Error(`startJar has no option '${unknown}'${near ? `; did you mean '${near}'?` : ''}`);
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
    export: (file, form = {}) => exportState(running, file, form),
    import: async (file, how = {}) => {
      const imported = await importState(running, file, how);
      if (how.restore !== false) given.clear();
      return imported;
    },
    close: () => running.close(),
    [Symbol.asyncDispose]: () => running.close(),
  };
}
=======
export const startJar = starter(() => openInProcess);
>>>>>>> main
