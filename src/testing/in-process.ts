import type { After, News, Watch } from '../client/look-until.ts';
import { advanceError } from '../control/family.ts';
import { MOST_REQUESTS } from '../control/inbox/bounds.ts';
import { inboxes, inboxRequests } from '../control/inbox/collections.ts';
import { receivedView } from '../control/inbox/record.ts';
import { openJar, type RunningJar } from '../jar/index.ts';
import type { AdvanceResult } from '../kernel/clock/types.ts';
import type { Finished } from '../kernel/http/server.ts';
import type { Service } from '../kernel/service/service.ts';
import type { CommitNotice } from '../kernel/store/types.ts';
import { after } from '../kernel/time/timers.ts';
import { type Credentials, seededCredentials, variables } from './env.ts';
import type { ExportOptions, ImportOptions, StartJarOptions as PublicOptions } from './jar-types.d.ts';
import { configOf } from './options.ts';
import { checkSnapshotFile, exportState, importState } from './state-files.ts';
import { TemporaryFile } from './temporary-file.ts';
import { TrustedAuthority } from './trust.ts';

/** With options that only the jar's own tests need. */
export interface StartJarOptions extends Omit<PublicOptions, 'observe'> {
  /** Services instead of the built-in ones. */
  readonly services?: readonly Service[];
  /** Called for every answered request of the program under test. */
  readonly observe?: (finished: Finished) => void;
}

/**
 * A jar in this process, as `startJar` sees it. Test runners such as Jest run a test in a realm with its own `Error`, `Array` and `Date`,
 * while the server is loaded outside of it. So only text, numbers and functions cross this interface; values and errors are created in the
 * realm of the test.
 */
export interface InProcessJar {
  readonly url: string;
  readonly httpsUrl: string;
  readonly smtpPort: number;
  readonly adminKey: string;
  readonly ca: string;
  now(): number;
  advance(by: string | number): Promise<AdvanceResult>;
  settled(): Promise<void>;
  reset(): Promise<void>;
  saveSnapshot(name: string): Promise<void>;
  restoreSnapshot(name: string): Promise<void>;
  exportState(path: string, form: ExportOptions): Promise<void>;
  /** Resolves to `ImportedState` as JSON. */
  importState(path: string, how: ImportOptions): Promise<string>;
  /** The requests of an inbox, oldest first, as JSON: `[{key, request}]`. */
  inboxRequests(name: string): Promise<string>;
  readonly watch: Watch;
  readonly after: After;
  trust(): () => void;
  /** Name and value pairs. */
  env(token: string | undefined): [name: string, value: string][];
  close(): Promise<void>;
}

export type OpenInProcess = (options: StartJarOptions) => Promise<InProcessJar>;

export async function openInProcess(options: StartJarOptions): Promise<InProcessJar> {
  const { services, observe } = options;
  const config = configOf(options);
  if (options.snapshot !== undefined) await checkSnapshotFile(config.seed);
  const { logLevel } = config;
  const running = await openJar({ config, inProcess: true, ...(services && { services }), logLevel, observe });
  try {
    // Without the built-in services there is nothing to sign in to.
    const credentials = services === undefined ? await seededCredentials(running.jar) : {};
    return inProcessJar(running, await running.ca(), credentials);
  } catch (error) {
    await running.close();
    throw error;
  }
}

function inProcessJar(running: RunningJar, ca: string, credentials: Credentials): InProcessJar {
  const { jar } = running;
  const authorityFile = new TemporaryFile('ca.pem', ca);
  const authority = new TrustedAuthority(ca);
  return {
    url: running.url,
    httpsUrl: running.httpsUrl,
    smtpPort: jar.addresses.smtpPort,
    adminKey: running.adminKey,
    ca,
    now: () => jar.clock.now(),
    async advance(by) {
      try {
        return await running.advance(by);
      } catch (error) {
        throw advanceError(error);
      }
    },
    settled: () => running.settled(),
    reset: () => running.reset(),
    saveSnapshot: async (name) => {
      await running.snapshots.save(name);
    },
    restoreSnapshot: async (name) => {
      await running.snapshots.restore(name);
    },
    exportState: (path, form) => exportState(running, path, form),
    importState: async (path, how) => JSON.stringify(await importState(running, path, how)),
    async inboxRequests(name) {
      const { items } = await jar.store.query(inboxRequests, { prefix: `${name}/`, limit: MOST_REQUESTS });
      // The store's etags are unique, even among requests with the same number before and after a reset.
      return JSON.stringify(items.map(({ etag, value }) => ({ key: etag, request: receivedView(jar, value) })));
    },
    watch: (news, callback) =>
      jar.store.onCommit((commit) => {
        if (IS_NEWS[news](commit)) callback();
      }),
    after,
    trust: () => authority.trust(),
    env: (token) => variables({ running, credentials, caFile: authorityFile.path(), token }),
    async close() {
      authority.distrust();
      authorityFile.remove();
      await running.close();
    },
  };
}

const IS_NEWS: Readonly<Record<News, (commit: CommitNotice) => boolean>> = {
  // Every request to an inbox changes the document of the inbox.
  inbox: ({ collections }) => collections.includes(inboxes.name),
  // Every write to a mailbox leaves a change record.
  mail: ({ changes }) => changes,
};
