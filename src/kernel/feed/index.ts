import type { Change, NewChange, Store, Tx } from '../store/types.ts';
import type { Logger } from '../telemetry/log.ts';
import { type BoundWork, boundWork, defineWork } from '../work/kind.ts';
import { ActiveFollowers } from './active-followers.ts';
import { followerPositions, followings } from './positions.ts';
import { type ChangeLimits, ChangeRetention, prune } from './retention.ts';
import { FollowerRun } from './run.ts';

export { feedCollections } from './positions.ts';
export type { ChangeLimits } from './retention.ts';

/**
 * A follower of the change feed: code of a service that processes changes of other services, exactly once, in order, on one node at a time.
 */
export interface FollowerHead {
  /** For example `events.management`. Must never change, because the follower's position is stored under it. */
  readonly name: string;
  /** Whether the follower needs a change; decides by the change alone. Runs in the transaction that records the change. */
  wants(change: NewChange): boolean;
}

/**
 * Processes changes in the transaction that stores the follower's position, so each change takes effect exactly once. Must await only `tx`.
 * If it throws, everything is rolled back: the batch size is halved until only the failing change remains, which is then retried with
 * backoff and blocks the changes behind it.
 */
// biome-ignore lint/suspicious/noExplicitAny: the context of a service is its own affair
export type FollowChanges<Context = any> = (tx: Tx, changes: readonly Change[], context: Context) => Promise<void>;

/** A follower's function, bound to its context. */
export type Follow = (tx: Tx, changes: readonly Change[]) => Promise<void>;

export interface FeedOptions {
  readonly store: Store;
  readonly log: Pick<Logger, 'debug'>;
  readonly followers: readonly FollowerHead[];
  readonly now: () => number;
  /** Opens the service of a follower. Called outside transactions. */
  readonly open: (follower: string) => Promise<Follow>;
  /** How long change records are kept, and how many. */
  readonly limits: ChangeLimits;
}

export interface Feed {
  readonly work: readonly BoundWork[];
  /** The follower receives changes from this transaction on; does nothing if it is active already. */
  activate(tx: Tx, follower: string): Promise<void>;
  /**
   * Deactivates a follower: changes no longer wake it, and it never receives those it has not processed yet. `unless` runs while the
   * follower is locked against activation, and sees what earlier activations have written; if it returns true, the follower stays active.
   */
  deactivate(tx: Tx, follower: string, unless?: () => Promise<boolean>): Promise<void>;
}

const FOLLOW = defineWork<{ readonly name: string }>('feed.follow', {
  title: 'Passes changes to a follower',
  subject: 'name',
  maxAttempts: Number.POSITIVE_INFINITY,
});

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
    const activity = new ActiveFollowers(store, overlooked);
    store.onChange((tx, change) => {
      // Usually no follower is active; then this is synchronous.
      const concerned = followers.filter((each) => mayWant(each, change) && !activity.isKnownIdle(tx, each.name));
      return concerned.length === 0 ? undefined : wakeActive(tx, concerned, Math.min(change.at, now()));
    });
    const wakeActive = async (tx: Tx, concerned: readonly FollowerHead[], dueAt: number): Promise<void> => {
      for (const { name } of concerned) if (await activity.isActive(tx, name)) await wake(tx, name, dueAt);
    };
    // Another node may have been killed before it woke followers that it had overlooked.
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
    // A follower that fails or waits does not block the others.
    work: [{ ...follow, concurrency: Math.max(1, followers.length) }, retention.work],
    async activate(tx, name) {
      if (await tx.get(followings, known(name), 'share')) return;
      const newest = await tx.newestChange();
      await tx.put(followings, name, { ...(newest !== undefined && { since: newest }) });
      await tx.put(followerPositions, name, { ...(newest !== undefined && { cursor: newest }) });
      // Transactions that recorded a change before this commit did not wake the follower; neither do changes of this transaction.
      await wake(tx, name);
    },
    async deactivate(tx, name, unless) {
      if (!(await tx.get(followings, known(name)))) return;
      if (await unless?.()) return;
      await tx.delete(followings, name);
      await tx.delete(followerPositions, name);
    },
  };
}

/** If `wants` throws, the follower is woken and fails in its own turn, so that recording the change does not fail. */
function mayWant(follower: FollowerHead, change: NewChange): boolean {
  try {
    return follower.wants(change);
  } catch {
    return true;
  }
}
