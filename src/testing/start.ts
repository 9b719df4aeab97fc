import type { Backend } from '../client/backend.ts';
import type { KeptRequest } from '../client/inbox.ts';
import { jarOver } from '../client/jar.ts';
import { senderTo } from '../client/send.ts';
import type { InProcessJar, OpenInProcess, StartJarOptions } from './in-process.ts';
import type { TestJar } from './jar-types.d.ts';
import { inThisRealm } from './realm.ts';

/** `startJar` over the server that `load` gives. */
export function starter(load: () => OpenInProcess): (options?: StartJarOptions) => Promise<TestJar> {
  return async function startJar({ clockStart, ...options } = {}) {
    const open = load();
    const given = { ...options, ...(clockStart !== undefined && { clockStart: textOf(clockStart) }) };
    return testJar(await inThisRealm(() => open(given)));
  };
}

/** By what it can do, since a date may be of another realm. */
const textOf = (time: Date | string): string => (typeof time === 'string' ? time : time.toISOString());

function testJar(server: InProcessJar): TestJar {
  const { httpsUrl, smtpPort, ca } = server;
  const close = (): Promise<void> => inThisRealm(() => server.close());
  return {
    ...jarOver(backendOf(server)),
    httpsUrl,
    smtpPort,
    ca,
    trust: () => server.trust(),
    env: ({ token } = {}) => Object.fromEntries(server.env(token)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What a jar in this process does without a request. */
function backendOf(server: InProcessJar): Backend & { now(): Date } {
  const { url, httpsUrl, adminKey, watch, after } = server;
  return {
    ...{ url, httpsUrl, adminKey, watch, after },
    send: senderTo({ url, adminKey }),
    now: () => new Date(server.now()),
    advance: (by) =>
      inThisRealm(async () => {
        const { now, fired } = await server.advance(by);
        return { now, fired };
      }),
    settled: () => inThisRealm(() => server.settled()),
    reset: () => inThisRealm(() => server.reset()),
    saveSnapshot: (name) => inThisRealm(() => server.saveSnapshot(name)),
    restoreSnapshot: (name) => inThisRealm(() => server.restoreSnapshot(name)),
    inboxRequests: async (name) =>
      JSON.parse(await inThisRealm(() => server.inboxRequests(name))) as readonly KeptRequest[],
  };
}
