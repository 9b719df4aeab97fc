import { readBehaviour } from '../control/inbox/behaviour.ts';
import { MOST_REQUESTS } from '../control/inbox/bounds.ts';
import { type Behaviour, inboxes, inboxRequests } from '../control/inbox/collections.ts';
import { readName } from '../control/inbox/receive.ts';
import { openInbox, receivedView } from '../control/inbox/record.ts';
import { emptyInbox } from '../control/inbox/requests.ts';
import type { RunningJar } from '../jar/index.ts';
import type { CommitNews } from '../kernel/store/types.ts';
import { DEFAULT_WAIT_MS, lookUntil } from './look-until.ts';

/** A request as an inbox got it. */
export interface ReceivedRequest {
  /** Numbers count up from 1 without gaps. */
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
  readonly bodyEncoding: 'utf8' | 'base64';
  readonly bodyBytes: number;
  readonly truncated: boolean;
  readonly handshake: { readonly kind: string; readonly answered: boolean; readonly url?: string } | null;
  readonly answered: { readonly status: number; readonly delayMs?: number };
  /** The body, read as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  json(): any;
}

/** How an inbox is to answer; what is not given is as it was at first. */
export interface InboxBehaviour {
  /** The first so many requests get this status (503 unless given). */
  readonly fail?: { readonly times: number; readonly status?: number };
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Of real time, whatever the jar's clock does. */
  readonly delayMs?: number;
  readonly handshake?: Behaviour['handshake'];
}

export interface TestInbox {
  readonly url: string;
  readonly httpsUrl: string;
  /** Everything that is kept, the oldest first, handshakes included. */
  requests(): Promise<ReceivedRequest[]>;
  /**
   * The oldest request that `next` has not given yet, waited for if need be. Handshakes are passed over, unless a predicate
   * says yes to one. What a predicate refuses is still there for later calls, and so is, after a
   * restore, what had not been given yet when the snapshot was taken.
   */
  next(
    predicate?: (request: ReceivedRequest) => boolean,
    options?: { readonly timeoutMs?: number },
  ): Promise<ReceivedRequest>;
  respond(behaviour: InboxBehaviour): Promise<void>;
  /** The next `times` requests get this status, 503 unless given; the rest of the behaviour stays. */
  failTimes(times: number, status?: number): Promise<void>;
  /** Removes what was received; the behaviour stays. */
  clear(): Promise<void>;
}

/**
 * `given` is what `next` gave out so far, of all inboxes: by the etags of the store, which no two requests share, not even of the
 * same number before and after a reset.
 */
export function testInbox(running: RunningJar, givenName: string, given: Set<string>): TestInbox {
  const { jar } = running;
  const { store, clock } = jar;
  const name = readName(givenName);

  const read = async (): Promise<{ etag: string; request: ReceivedRequest }[]> => {
    const { items } = await store.query(inboxRequests, { prefix: `${name}/`, limit: MOST_REQUESTS });
    return items.map(({ etag, value }) => ({ etag, request: withJson(receivedView(jar, value)) }));
  };
  const requests = async (): Promise<ReceivedRequest[]> => (await read()).map(({ request }) => request);
  const change = async (next: (before: Behaviour) => Behaviour): Promise<void> => {
    await store.transact(async (tx) => {
      const inbox = await openInbox(tx, name, clock.now());
      await tx.put(inboxes, name, { ...inbox, behaviour: next(inbox.behaviour ?? {}), failed: 0 });
    });
  };

  return {
    url: `${running.url}/_jar/inbox/${name}`,
    httpsUrl: `${running.httpsUrl}/_jar/inbox/${name}`,
    requests,
    async next(predicate = ({ handshake }) => handshake === null, { timeoutMs = DEFAULT_WAIT_MS } = {}) {
      const found = await lookUntil(store, timeoutMs, isNews, async () => {
        const kept = await read();
        const first = kept.find(({ etag, request }) => !given.has(etag) && predicate(request));
        // At once, before another call looks for its own.
        if (first) given.add(first.etag);
        return first?.request;
      });
      if (found) return found;
      const seen = told(await requests());
      throw new Error(`no such request came to the inbox '${name}' within ${timeoutMs} ms; ${seen}`);
    },
    respond: async (behaviour) => {
      const checked = readBehaviour(behaviour);
      await change(() => checked);
    },
    failTimes: async (times, status) => {
      const { fail } = readBehaviour({ fail: { times, ...(status !== undefined && { status }) } });
      await change((before) => ({ ...before, ...(fail && { fail }) }));
    },
    clear: async () => {
      await emptyInbox(jar, name, false);
    },
  };
}

/** Every request to an inbox changes the document of the inbox. */
const isNews = ({ collections }: CommitNews): boolean => collections.includes(inboxes.name);

function withJson(view: Omit<ReceivedRequest, 'json'>): ReceivedRequest {
  return {
    ...view,
    json() {
      return JSON.parse(view.body);
    },
  };
}

function told(seen: readonly ReceivedRequest[]): string {
  if (seen.length === 0) return 'nothing has come at all';
  const last = seen.slice(-3).map(({ method, path, answered }) => `${method} ${path} (answered ${answered.status})`);
  return `it holds ${seen.length}, last ${last.join(', ')}`;
}
