import type { Backend } from '../client/backend.ts';
import { JarError } from '../client/error.ts';
import type { KeptRequest } from '../client/inbox.ts';
import { jarOver } from '../client/jar.ts';
import { senderTo } from '../client/send.ts';
import { checkNames, pathOf, timeText } from './arguments.ts';
import type { InProcessJar, OpenInProcess, StartJarOptions } from './in-process.ts';
import type { ExportOptions, ImportedState, ImportOptions, TestJar } from './jar-types.d.ts';
import { errorOfThisRealm, inThisRealm } from './realm.ts';

const EXPORT_OPTIONS: readonly (keyof ExportOptions)[] = ['passphrase', 'portable'];
const IMPORT_OPTIONS: readonly (keyof ImportOptions)[] = ['passphrase', 'restore', 'name'];

/** `startJar` with a function that loads the server. */
export function starter(load: () => OpenInProcess): (options?: StartJarOptions) => Promise<TestJar> {
  return async function startJar(options = {}) {
    checkNames('startJar', options);
    const { clockStart, snapshot, observe } = options;
    const open = load();
    const given = {
      ...options,
      ...(clockStart !== undefined && { clockStart: timeText(clockStart) }),
      ...(snapshot !== undefined && { snapshot: pathOf(snapshot, 'snapshot') }),
      ...(typeof observe === 'function' && { observe: inItsRealm(observe) }),
    };
    return testJar(await inThisRealm(() => open(given)));
  };
}

type Observe = NonNullable<StartJarOptions['observe']>;

const inItsRealm =
  (observe: Observe): Observe =>
  (finished) =>
    observe({ ...finished, error: errorOfThisRealm(finished.error) });

function testJar(server: InProcessJar): TestJar {
  const { httpsUrl, smtpPort, ca } = server;
  const calls = new Calls();
  const handedOut = new Set<string>();
  const close = (): Promise<void> => calls.last(() => server.close());
  return {
    ...jarOver(backendOf(server, calls), handedOut),
    httpsUrl,
    smtpPort,
    ca,
    trust: () => calls.check(() => server.trust()),
    env(options = {}) {
      checkNames('jar.env', options, ['token']);
      return calls.check(() => Object.fromEntries(server.env(options.token)));
    },
    async export(file, form = {}) {
      checkNames('jar.export', form, EXPORT_OPTIONS);
      const path = pathOf(file, 'file');
      await calls.make(() => server.exportState(path, form));
    },
    import: async (file, how = {}) => {
      checkNames('jar.import', how, IMPORT_OPTIONS);
      const path = pathOf(file, 'file');
      const imported = await calls.make(() => server.importState(path, how));
      if (how.restore !== false) handedOut.clear();
      return JSON.parse(imported) as ImportedState;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The backend of an in-process jar, which needs no requests. */
function backendOf(server: InProcessJar, calls: Calls): Backend & { now(): Date } {
  const { url, httpsUrl, adminKey, watch, after } = server;
  const send = senderTo({ url, adminKey });
  return {
    ...{ url, httpsUrl, adminKey, watch, after },
    send: (...request) => calls.make(() => send(...request)),
    now: () => new Date(server.now()),
    advance: (by) =>
      calls.make(async () => {
        const { now, fired } = await server.advance(by);
        return { now, fired };
      }),
    settled: () => calls.make(() => server.settled()),
    reset: () => calls.make(() => server.reset()),
    saveSnapshot: (name) => calls.make(() => server.saveSnapshot(name)),
    restoreSnapshot: (name) => calls.make(() => server.restoreSnapshot(name)),
    inboxRequests: async (name) =>
      JSON.parse(await calls.make(() => server.inboxRequests(name))) as readonly KeptRequest[],
  };
}

/** Guards calls to the jar. A test that continues after `close` gets an error that says so, rather than a consequence of it. */
class Calls {
  #closing: Promise<void> | undefined;

  check<T>(call: () => T): T {
    if (this.#closing) throw new JarError('the jar is closed', { code: 'JarClosed' });
    return call();
  }

  async make<T>(call: () => Promise<T>): Promise<T> {
    return this.check(() => inThisRealm(call));
  }

  /** Closes once; later calls return the same promise. */
  last(close: () => Promise<void>): Promise<void> {
    this.#closing ??= inThisRealm(close);
    return this.#closing;
  }
}
