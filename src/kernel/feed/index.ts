import type { Jar } from '../jar-context.ts';
import type { WorkHandler } from '../service.ts';
import type { Change, NewChange, Store, Tx } from '../store/types.ts';
import { Activity } from './activity.ts';
import { followings, places } from './places.ts';
import { FollowerRun } from './run.ts';

export { feedCollections } from './places.ts';

/** What a service makes of the changes that others record: each once, none missing, in order, by one node at a time. */
export interface FeedFollower {
  /** `events.management`: never to change, as its place in the feed is kept under it. */
  readonly name: string;
  /** Whether a change is worth a look; by what it says of itself alone. */
  wants(change: NewChange): boolean;
  /**
   * In one transaction with the place in the feed, so that what it does for a change is done exactly once. May await nothing but `tx`.
   * If it throws, nothing has happened: it is told of fewer at once, and of the one that it fails at again and again, later each time;
   * what comes behind that one waits.
   */
  follow(tx: Tx, changes: readonly Change[], jar: Jar): Promise<void>;
  /** Awaited before it follows, outside of any transaction. */
  load?(): Promise<void>;
}

/** A follower whose module is loaded with the first change that it wants. */
export function lazyFollower(
  head: Pick<FeedFollower, 'name' | 'wants'>,
  load: () => Promise<Pick<FeedFollower, 'follow'>>,
): FeedFollower {
  let code: Pick<FeedFollower, 'follow'> | undefined;
  return {
    ...head,
    async load() {
      code ??= await load();
    },
    async follow(tx, changes, jar) {
      await (code ?? (await load())).follow(tx, changes, jar);
    },
  };
}

export interface Feed {
  readonly work: Readonly<Record<string, WorkHandler>>;
  /** From this transaction on the follower is told of changes; does nothing when it is already. */
  activate(tx: Tx, follower: string): Promise<void>;
  /**
   * Nobody wants to know any more: changes cost nothing extra again, and those that it was not told of yet it never hears of. `unless`
   * is asked when nobody else can activate it any more, and sees what those have written who did before.
   */
  deactivate(tx: Tx, follower: string, unless?: () => Promise<boolean>): Promise<void>;
}

const FOLLOW = 'feed.follow';

export function createFeed(store: Store, followers: readonly FeedFollower[], now: () => number, jar: () => Jar): Feed {
  const byName = new Map(followers.map((follower) => [follower.name, follower]));
  if (byName.size < followers.length) throw new Error('two followers of the change feed have the same name');
  const known = (name: string): string => {
    if (!byName.has(name)) throw new Error(`'${name}' is not declared as a follower of the change feed`);
    return name;
  };

  const wake = (tx: Tx, name: string, dueAt = now()): Promise<void> =>
    tx.wake({ id: `feed:${name}`, kind: FOLLOW, dueAt, payload: { name } });

  const lookAgain = async (tx: Tx): Promise<void> => {
    for (const name of byName.keys()) if (await tx.get(followings, name, 'none')) await wake(tx, name);
  };
  const overlooked = (): void => {
    store.transact(lookAgain).catch((error) => jar().log.debug({ err: error }, 'followers of the feed were not woken'));
  };

  if (followers.length > 0) {
    const activity = new Activity(store, overlooked);
    store.onChange((tx, change) => {
      // Mostly nobody follows, and then there is nothing to wait for.
      const concerned = followers.filter((each) => mayWant(each, change) && !activity.isKnownIdle(tx, each.name));
      return concerned.length === 0 ? undefined : wakeActive(tx, concerned, Math.min(change.at, now()));
    });
    const wakeActive = async (tx: Tx, concerned: readonly FeedFollower[], dueAt: number): Promise<void> => {
      for (const { name } of concerned) if (await activity.isActive(tx, name)) await wake(tx, name, dueAt);
    };
    // On PostgreSQL a node may have been killed before it could make good what it had overlooked.
    if (store.engine === 'postgres') overlooked();
  }

  const handler: WorkHandler = {
    // A follower that fails or waits holds up none of the others.
    concurrency: Math.max(1, followers.length),
    maxAttempts: Number.POSITIVE_INFINITY,
    async run(item, _jar, halt) {
      const follower = byName.get((item.payload as { name: string }).name);
      if (follower) await new FollowerRun(store, follower, jar()).run(item, halt);
    },
  };

  return {
    work: { [FOLLOW]: handler },
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
function mayWant(follower: FeedFollower, change: NewChange): boolean {
  try {
    return follower.wants(change);
  } catch {
    return true;
  }
}
