import type { Backend } from './backend.ts';
import { controlOf } from './control.ts';
import type { After, Watch } from './look-until.ts';
import { type Connection, senderTo } from './send.ts';
import type { ReceivedRequest } from './types/inbox.d.ts';

/** Polling starts fast, because most waits are short, and slows down to spare a jar that has nothing new. */
const FIRST_POLL_MS = 20;
const SLOWEST_POLL_MS = 250;
const LARGEST_PAGE = 1000;

/** A jar that is used only over HTTP. */
export function httpBackend(connection: Connection): Backend & { now(): Promise<Date> } {
  const send = senderTo(connection);
  const { ask, list } = controlOf(send);
  return {
    url: connection.url,
    httpsUrl: undefined,
    adminKey: connection.adminKey ?? '',
    send,
    now: async () => new Date((await ask<{ now: string }>('GET', '/_jar/clock')).now),
    async advance(by) {
      const { now, fired } = await ask<{ now: string; fired: number }>('POST', '/_jar/clock/advance', { by });
      return { now: Date.parse(now), fired };
    },
    settled: async () => {
      await ask('POST', '/_jar/settled');
    },
    reset: async () => {
      await ask('POST', '/_jar/reset');
    },
    saveSnapshot: async (name) => {
      await ask('PUT', snapshotPath(name));
    },
    restoreSnapshot: async (name) => {
      await ask('POST', `${snapshotPath(name)}/restore`);
    },
    async inboxRequests(name) {
      const path = `/_jar/inbox/${name}/requests?$top=${LARGEST_PAGE}`;
      const requests = await list<Omit<ReceivedRequest, 'json'>>(path);
      return requests.map((request) => ({ key: `inbox ${name} ${request.id} ${request.at}`, request }));
    },
    watch: poll,
    after,
  };
}

export const snapshotPath = (name: string): string => `/_jar/snapshots/${encodeURIComponent(name)}`;

export const after: After = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

const poll: Watch = (_news, callback) => {
  let waitMs = FIRST_POLL_MS;
  let cancel = after(waitMs, again);
  function again(): void {
    waitMs = Math.min(waitMs * 2, SLOWEST_POLL_MS);
    cancel = after(waitMs, again);
    callback();
  }
  return () => cancel();
};
