import type { Control } from './control.ts';
import { JarError } from './error.ts';
import { DEFAULT_WAIT_MS, lookUntil, type Waiting } from './look-until.ts';
import type { InboxBehaviour, ReceivedRequest, TestInbox } from './types/inbox.d.ts';

/** A request with a unique key, even among requests with the same number before and after a reset. */
export interface KeptRequest {
  readonly key: string;
  readonly request: Omit<ReceivedRequest, 'json'>;
}

/** Data access of an inbox: the jar's address, and a function that reads the received requests. */
export interface InboxSource extends Waiting {
  readonly url: string;
  readonly httpsUrl: string | undefined;
  inboxRequests(name: string): Promise<readonly KeptRequest[]>;
}

/** The rule of the control API: 1 to 64 characters, not only dots. */
const NAME = /^(?!\.+$)[\w.-]{1,64}$/;

/** `given` has the keys of the requests that `next` has returned, of all inboxes. */
export function testInbox(source: InboxSource, control: Control, givenName: string, given: Set<string>): TestInbox {
  const name = readName(givenName);
  const path = `/_jar/inbox/${name}`;
  const read = async (): Promise<{ key: string; request: ReceivedRequest }[]> =>
    (await source.inboxRequests(name)).map(({ key, request }) => ({ key, request: withJson(request) }));
  const requests = async (): Promise<ReceivedRequest[]> => (await read()).map(({ request }) => request);
  const behave = async (behaviour: InboxBehaviour): Promise<void> => {
    await control.ask('PUT', `${path}/behaviour`, behaviour);
  };

  return {
    url: source.url + path,
    httpsUrl: source.httpsUrl === undefined ? source.url + path : source.httpsUrl + path,
    requests,
    async next(predicate = ({ handshake }) => handshake === null, { timeoutMs = DEFAULT_WAIT_MS } = {}) {
      const found = await lookUntil(source, 'inbox', timeoutMs, async () => {
        const kept = await read();
        const first = kept.find(({ key, request }) => !given.has(key) && predicate(request));
        // Marked before anything is awaited, so that a concurrent call cannot return the same request.
        if (first) given.add(first.key);
        return first?.request;
      });
      if (found) return found;
      const seen = told(await requests());
      throw new JarError(`the inbox '${name}' received no matching request within ${timeoutMs} ms; ${seen}`, {
        code: 'WaitTimedOut',
      });
    },
    respond: behave,
    failTimes: async (times, status) => {
      const before = await control.ask<InboxBehaviour>('GET', `${path}/behaviour`);
      await behave({ ...before, fail: { times, ...(status !== undefined && { status }) } });
    },
    clear: async () => {
      await control.ask('DELETE', `${path}/requests`);
    },
  };
}

/** Names are case-insensitive. */
function readName(text: string): string {
  if (typeof text === 'string' && NAME.test(text)) return text.toLowerCase();
  const rule = 'use 1 to 64 letters, digits, dots, dashes or underscores, but not only dots.';
  throw new JarError(`'${String(text).slice(0, 80)}' is not a valid name of an inbox: ${rule}`, {
    code: 'BadInboxName',
  });
}

function withJson(request: Omit<ReceivedRequest, 'json'>): ReceivedRequest {
  return {
    ...request,
    json() {
      return JSON.parse(request.body);
    },
  };
}

function told(seen: readonly ReceivedRequest[]): string {
  if (seen.length === 0) return 'it received no requests at all';
  const last = seen.slice(-3).map(({ method, path, answered }) => `${method} ${path} (answered ${answered.status})`);
  return `it has ${seen.length}, the last ones are ${last.join(', ')}`;
}
