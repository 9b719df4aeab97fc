import { fileURLToPath } from 'node:url';
import type { Backend } from '../client/backend.ts';
import { JarError } from '../client/error.ts';
import type { KeptRequest } from '../client/inbox.ts';
import { jarOver } from '../client/jar.ts';
import { senderTo } from '../client/send.ts';
import type { InProcessJar, OpenInProcess, StartJarOptions } from './in-process.ts';
import type { FileAddress, ImportedState, TestJar } from './jar-types.d.ts';
import { inThisRealm } from './realm.ts';

/** `startJar` over the server that `load` gives. */
export function starter(load: () => OpenInProcess): (options?: StartJarOptions) => Promise<TestJar> {
  return async function startJar({ clockStart, snapshot, ...options } = {}) {
    const open = load();
    const given = {
      ...options,
      ...(clockStart !== undefined && { clockStart: textOf(clockStart) }),
      ...(snapshot !== undefined && { snapshot: pathOf(snapshot) }),
    };
    return testJar(await inThisRealm(() => open(given)));
  };
}

/** By what it can do, since a date may be of another realm. */
const textOf = (time: Date | string): string => (typeof time === 'string' ? time : time.toISOString());

function pathOf(file: string | FileAddress): string {
  if (typeof file === 'string' && file !== '') return file;
  if (typeof file === 'object' && typeof file?.href === 'string') return fileURLToPath(file.href);
  throw new TypeError(`a file is named by its path or its URL, not by ${JSON.stringify(file)}`);
}

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
    env: ({ token } = {}) => calls.check(() => Object.fromEntries(server.env(token))),
    export: (file, form = {}) => calls.make(() => server.exportState(pathOf(file), form)),
    import: async (file, how = {}) => {
      const imported = await calls.make(() => server.importState(pathOf(file), how));
      if (how.restore !== false) handedOut.clear();
      return JSON.parse(imported) as ImportedState;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What a jar in this process does without a request. */
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

/** The calls of a test to its jar. A test that goes on after its jar was closed is told so, rather than what broke by that. */
class Calls {
  #closing: Promise<void> | undefined;

  check<T>(call: () => T): T {
    if (this.#closing) throw new JarError('the jar is closed', { code: 'JarClosed' });
    return call();
  }

  async make<T>(call: () => Promise<T>): Promise<T> {
    return this.check(() => inThisRealm(call));
  }

  /** Closes once, however often it is called. */
  last(close: () => Promise<void>): Promise<void> {
    this.#closing ??= inThisRealm(close);
    return this.#closing;
  }
}
