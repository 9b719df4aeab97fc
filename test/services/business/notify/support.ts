import type { Bench, Reply } from '../../../support/jars.ts';
import { type Books, openBooks } from '../support.ts';
import { control, openWebhooks, type Webhooks } from '../webhooks/support.ts';

export interface Entry {
  readonly subscriptionId: string;
  readonly clientState: string;
  readonly expirationDateTime: string;
  readonly resource: string;
  readonly changeType: string;
  readonly lastModifiedDateTime: string;
}

/** The first company of a tenant, its books and its subscriptions; every test names inboxes of its own. */
export interface Desk {
  readonly bench: Bench;
  readonly books: Books;
  readonly hooks: Webhooks;
  /** The bodies received by an inbox, without handshakes, the oldest first. */
  bodies(inbox: string): Promise<Entry[][]>;
  /** All entries received by an inbox. */
  entries(inbox: string): Promise<Entry[]>;
  /** Times of attempts to an inbox, in seconds since `from`. */
  triedAt(inbox: string, from: Date): Promise<number[]>;
  /** The control API's explanations of the newest changes of a record. */
  // biome-ignore lint/suspicious/noExplicitAny: explanations of every shape
  changes(id: string): Promise<any[]>;
  // biome-ignore lint/suspicious/noExplicitAny: windows of every shape
  windows(): Promise<any[]>;
  /** The same company, seen by another seeded user. */
  as(user: string): Promise<Books>;
  /** Removes all subscriptions, so that the next test begins without. */
  clear(): Promise<void>;
}

export async function openDesk(bench: Bench): Promise<Desk> {
  const books = await openBooks(bench);
  const hooks = await openWebhooks(bench);
  const received = async (inbox: string) =>
    (await bench.jar.inbox(inbox).requests()).filter(({ handshake }) => handshake === null);
  const bodies = async (inbox: string): Promise<Entry[][]> =>
    (await received(inbox)).map((request) => request.json().value);
  return {
    bench,
    books,
    hooks,
    bodies,
    entries: async (inbox) => (await bodies(inbox)).flat(),
    triedAt: async (inbox, from) => (await received(inbox)).map(({ at }) => (Date.parse(at) - from.getTime()) / 1000),
    changes: async (id) => (await control(bench, 'GET', `business/changes?id=${id}`)).body.value,
    windows: async () => (await control(bench, 'GET', 'business/windows')).body.value,
    as: async (user) => openBooks(bench, 'v2.0', await bench.jar.token({ user, ttl: '365d' })),
    async clear() {
      const { body } = await hooks.list();
      for (const { subscriptionId } of body.value) await hooks.remove(subscriptionId);
    },
  };
}

/** Short form of an entry: `created customers(…)`. */
export const short = ({ changeType, resource }: Entry): string => `${changeType} ${resource.replace(/^.*\//, '')}`;

export function expectStatus(reply: Reply, status: number): Reply {
  if (reply.status !== status) throw new Error(`${reply.status} instead of ${status}: ${reply.text}`);
  return reply;
}
