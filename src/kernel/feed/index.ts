import type { Change, NewChange, Store, Tx } from '../store/types.ts';
import type { Logger } from '../telemetry/log.ts';
import { type BoundWork, boundWork, defineWork } from '../work/kind.ts';
import { Activity } from './activity.ts';
import { followings, places } from './places.ts';
import { type ChangeLimits, ChangeRetention, prune } from './retention.ts';
import { FollowerRun } from './run.ts';

export { feedCollections } from './places.ts';
export type { ChangeLimits } from './retention.ts';

/** A follower of the change feed: what a service makes of the changes that others record, each once, in order, by one node at a time. */
export interface FollowerHead {
  /** `events.management`: never to change, as its place in the feed is kept under it. */
  readonly name: string;
  /** Whether a change is worth a look; by what it says of itself alone. Runs in the transaction that records the change. */
  wants(change: NewChange): boolean;
}

/**
 * In one transaction with the place in the feed, so that what it does for a change is done exactly once. May await nothing but `tx`.
 * If it throws, nothing has happened: it gets fewer changes at once, and the one that it fails at again and again, later each time;
 * what comes behind that one waits.
 */
// biome-ignore lint/suspicious/noExplicitAny: the context of a service is its own affair
export type FollowChanges<Context = any> = (tx: Tx, changes: readonly Change[], context: Context) => Promise<void>;

/** A follower whose function has its context already. */
export type Follow = (tx: Tx, changes: readonly Change[]) => Promise<void>;

export interface FeedOptions {
  readonly store: Store;
  readonly log: Pick<Logger, 'debug'>;
  readonly followers: readonly FollowerHead[];
  readonly now: () => number;
  /** Opens the service of a follower. Called outside of any transaction. */
  readonly open: (follower: string) => Promise<Follow>;
  /** How long change records are kept, and how many. */
  readonly limits: ChangeLimits;
}

export interface Feed {
  readonly work: readonly BoundWork[];
  /** From this transaction on the follower is told of changes; does nothing when it is already. */
  activate(tx: Tx, follower: string): Promise<void>;
  /**
   * Nobody wants to know any more: changes cost nothing extra again, and those that it was not told of yet it never hears of. `unless`
   * is asked when nobody else can activate it any more, and sees what those have written who did before.
   */
  deactivate(tx: Tx, follower: string, unless?: () => Promise<boolean>): Promise<void>;
}

const FOLLOW = defineWork<{ readonly name: string }>('feed.follow', { maxAttempts: Number.POSITIVE_INFINITY });

export const feedWork = [FOLLOW, prune] as const;

export function createFeed({ store, log, followers, now, open, limits }: FeedOptions): Feed {
  const byName = new Map(followers.map((follower) => [follower.name, follower]));
  if (byName.size < followers.length) throw new Error('two followers of the change feed have the same name');
  const known = (name: string): string => {
    if (!byName.has(name)) throw new Error(`'${name}' is not declared as a follower of the change feed`);
    return name;
  };

  const wake = (tx: Tx, name: string, dueAt = now()): Promise<void> =>
    tx.wake(FOLLOW.at(dueAt, { name }, `feed:${name}`));

  const lookAgain = async (tx: Tx): Promise<void> => {
    for (const name of byName.keys()) if (await tx.get(followings, name, 'none')) await wake(tx, name);
  };
  const overlooked = (): void => {
    store.transact(lookAgain).catch((error) => log.debug({ err: error }, 'followers of the feed were not woken'));
  };

  if (followers.length > 0) {
    const activity = new Activity(store, overlooked);
    store.onChange((tx, change) => {
      // Mostly nobody follows, and then there is nothing to wait for.
      const concerned = followers.filter((each) => mayWant(each, change) && !activity.isKnownIdle(tx, each.name));
      return concerned.length === 0 ? undefined : wakeActive(tx, concerned, Math.min(change.at, now()));
    });
    const wakeActive = async (tx: Tx, concerned: readonly FollowerHead[], dueAt: number): Promise<void> => {
      for (const { name } of concerned) if (await activity.isActive(tx, name)) await wake(tx, name, dueAt);
    };
    // Another node may have been killed before it could make good what it had overlooked.
    if (store.hasOtherWriters) overlooked();
  }

  const retention = new ChangeRetention(store, now, limits, (name, change) => {
    const follower = byName.get(name);
    return follower === undefined || mayWant(follower, change);
  });
  store.onChange((tx) => retention.changed(tx));

  const follow = boundWork(FOLLOW, async (item, halt) => {
    const follower = byName.get(item.payload.name);
    if (follower) await new FollowerRun(store, follower, () => open(follower.name)).run(item, halt);
  });

  return {
    // A follower that fails or waits holds up none of the others.
    work: [{ ...follow, concurrency: Math.max(1, followers.length) }, retention.work],
    async activate(tx, name) {
      if (await tx.get(followings, known(name), 'share')) return;
      const newest = await tx.newestChange();
      await tx.put(followings, name, { ...(newest !== undefined && { since: newest }) });
      await tx.put(places, name, { ...(newest !== undefined && { cursor: newest }) });
      // Whoever makes a change in this very transaction, or was told before its end that nobody follows, wakes nobody.
      await wake(tx, name);
    },
    async deactivate(tx, name, unless) {
      if (!(await tx.get(followings, known(name)))) return;
      if (await unless?.()) return;
      await tx.delete(followings, name);
      await tx.delete(places, name);
    },
  };
}

/** One that fails to tell is looked at in its own turn, where it fails alone; the change itself is not to suffer. */
function mayWant(follower: FollowerHead, change: NewChange): boolean {
  try {
    return follower.wants(change);
  } catch {
    return true;
  }
}
