import { readBehaviour } from '../control/inbox/behaviour.ts';
import { MOST_REQUESTS } from '../control/inbox/bounds.ts';
import { type Behaviour, inboxes, inboxRequests } from '../control/inbox/collections.ts';
import { readName } from '../control/inbox/receive.ts';
import { openInbox, receivedView } from '../control/inbox/record.ts';
import { emptyInbox } from '../control/inbox/requests.ts';
import type { RunningJar } from '../jar/index.ts';
import type { CommitNews } from '../kernel/store/types.ts';
import type { ReceivedRequest, TestInbox } from './inbox-types.d.ts';
import { DEFAULT_WAIT_MS, lookUntil } from './look-until.ts';

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
