import { pause } from '../clock/timers.ts';
import type { Jar } from '../jar-context.ts';
import type { WorkHandler } from '../service.ts';
import { collection } from '../store/collection.ts';
import type { Change, Collection, NewChange, Store, Tx, WorkItem } from '../store/types.ts';

/** What a service makes of the changes that others record: each once, none missing, in order, by one node at a time. */
export interface FeedFollower {
  /** `events.management`: never to change, as its place in the feed is kept under it. */
  readonly name: string;
  /** Whether a change is worth a look; by what it says of itself alone. */
  wants(change: NewChange): boolean;
  /** In one transaction with the place in the feed, so that what it does for a change is done exactly once. May await nothing but `tx`. */
  follow(tx: Tx, changes: readonly Change[], jar: Jar): Promise<void>;
}

export interface Feed {
  readonly work: Readonly<Record<string, WorkHandler>>;
  /** From this transaction on the follower is told of changes; does nothing when it is already. */
  activate(tx: Tx, follower: string): Promise<void>;
  /** Nobody wants to know any more: changes cost nothing extra again. */
  deactivate(tx: Tx, follower: string): Promise<void>;
}

/** The place of an active follower. */
interface Place {
  /** Absent: at the beginning. */
  readonly cursor?: string;
}

const places = collection<Place>('kernel.feeds', { cached: true });

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
export const feedCollections: readonly Collection<any>[] = [places];

const FOLLOW = 'feed.follow';
const PAGE = 200;
/** On PostgreSQL a change may be hidden behind one that is not committed yet. */
const LOOK_AGAIN_MS = 10;

/** Who is active, remembered until anybody's activity changes on any node: nearly every management call asks. */
class Activity {
  readonly #known = new Map<string, boolean>();
  #news = 0;

  constructor(store: Store) {
    store.onCommit(({ collections }) => {
      if (!collections.includes(places.name)) return;
      this.#news += 1;
      this.#known.clear();
    });
  }

  async isActive(tx: Tx, name: string): Promise<boolean> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const news = this.#news;
    const active = (await tx.get(places, name, 'none')) !== undefined;
    if (news === this.#news) this.#known.set(name, active);
    return active;
  }
}

export function createFeed(store: Store, followers: readonly FeedFollower[], now: () => number, jar: () => Jar): Feed {
  const byName = new Map(followers.map((follower) => [follower.name, follower]));
  const wake = (tx: Tx, name: string): Promise<void> =>
    tx.wake({ id: `feed:${name}`, kind: FOLLOW, dueAt: now(), payload: { name } });

  const activity = new Activity(store);
  store.onChange(async (tx, change) => {
    for (const { name, wants } of followers) {
      if (wants(change) && (await activity.isActive(tx, name))) await wake(tx, name);
    }
  });

  /** Gives whether there was anything. */
  async function step(follower: FeedFollower): Promise<boolean> {
    const known = await store.get(places, follower.name);
    if (!known) return false;
    const { cursor } = known.value;
    const changes = await store.changesAfter(cursor, PAGE);
    const last = changes.at(-1);
    if (!last) return false;
    const wanted = changes.filter((change) => follower.wants(change));
    await store.transact(async (tx) => {
      const place = await tx.get(places, follower.name);
      // Somebody has stopped or restarted it meanwhile.
      if (!place || place.value.cursor !== cursor) return;
      if (wanted.length > 0) await follower.follow(tx, wanted, jar());
      await tx.put(places, follower.name, { cursor: last.cursor });
    });
    return true;
  }

  /** Ends the turn; what could not be seen yet, or was not done, is looked at in the next. */
  function settle(item: WorkItem, { name }: FeedFollower): Promise<boolean> {
    return store.transact((tx) =>
      tx.settle(item, async () => {
        const place = await tx.get(places, name, 'none');
        return !place || place.value.cursor === (await tx.newestChange()) ? undefined : now();
      }),
    );
  }

  const handler: WorkHandler = {
    maxAttempts: Number.POSITIVE_INFINITY,
    async run(item, _jar, halt) {
      const follower = byName.get((item.payload as { name: string }).name);
      if (!follower) return;
      if (!(await step(follower))) await pause(LOOK_AGAIN_MS);
      while (!halt.aborted && (await step(follower)));
      while (!(await settle(item, follower))) await pause(LOOK_AGAIN_MS);
    },
  };

  return {
    work: { [FOLLOW]: handler },
    async activate(tx, name) {
      if (await tx.get(places, name)) return;
      const cursor = await tx.newestChange();
      await tx.put(places, name, { ...(cursor !== undefined && { cursor }) });
      await wake(tx, name);
    },
    async deactivate(tx, name) {
      await tx.delete(places, name);
    },
  };
}
