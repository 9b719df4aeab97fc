import type { Change, Store, Tx, WorkItem } from '../store/types.ts';
import { type RoundOutcome, untilSettled } from '../work/settle.ts';
import type { Follow, FollowerHead } from './index.ts';
import { followerPositions } from './positions.ts';

const PAGE = 200;

/** Rolls back the transaction that would end the turn, because there is more to do. */
class MoreToDo extends Error {}

class FollowerFailed extends Error {}

/** One turn of a follower: processes changes until none are left, and settles the work item. */
export class FollowerRun {
  readonly #store: Store;
  readonly #follower: FollowerHead;
  readonly #open: () => Promise<Follow>;
  /** Maximum batch size. Reduced after a failure, so that the changes before the failing one are processed. */
  #mostWanted = PAGE;

  constructor(store: Store, follower: FollowerHead, open: () => Promise<Follow>) {
    this.#store = store;
    this.#follower = follower;
    this.#open = open;
  }

  run(item: WorkItem<unknown>, halt: AbortSignal): Promise<void> {
    return untilSettled(async () => {
      let end: RoundOutcome = 'unsettled';
      while (!halt.aborted && (await this.#step(halt))) end = 'more';
      return (await this.#settle(item, halt)) ? 'settled' : end;
    });
  }

  /** Processes the next changes that the follower wants; returns false if there are none. */
  async #step(halt: AbortSignal): Promise<boolean> {
    const place = await this.#store.get(followerPositions, this.#follower.name);
    if (!place) return false;
    const from = place.value.cursor;
    let to = from;
    for (;;) {
      const page = await this.#store.changesAfter(to, PAGE);
      const wanted = page.filter((change) => this.#follower.wants(change)).slice(0, this.#mostWanted);
      if (wanted.length > 0) {
        const last = wanted.length === this.#mostWanted ? wanted.at(-1) : page.at(-1);
        await this.#tryToMoveOn(from, last?.cursor, wanted);
        return true;
      }
      if (page.length < PAGE || halt.aborted) {
        // If only a few unwanted changes were skipped, the position is not written: skipping them again costs less.
        if (to !== from) await this.#moveOn(from, to, []);
        return false;
      }
      to = page.at(-1)?.cursor;
    }
  }

  async #tryToMoveOn(from: string | undefined, to: string | undefined, wanted: readonly Change[]): Promise<void> {
    try {
      await this.#moveOn(from, to, wanted);
      this.#mostWanted = Math.min(this.#mostWanted * 2, PAGE);
    } catch (error) {
      if (!(error instanceof FollowerFailed) || wanted.length === 1) throw error;
      this.#mostWanted = Math.floor(wanted.length / 2);
    }
  }

  async #moveOn(from: string | undefined, to: string | undefined, wanted: readonly Change[]): Promise<void> {
    const { name } = this.#follower;
    const follow = wanted.length > 0 ? await this.#open() : undefined;
    await this.#store.transact(async (tx) => {
      const place = await tx.get(followerPositions, name);
      // The follower was deactivated or reactivated meanwhile, or another node has processed these changes.
      if (!place || place.value.cursor !== from) return;
      if (follow) {
        await this.#follow(tx, wanted, follow);
        // The follower may have deactivated itself.
        if (!(await tx.get(followerPositions, name))) return;
      }
      await tx.put(followerPositions, name, { cursor: to });
    });
  }

  async #follow(tx: Tx, changes: readonly Change[], follow: Follow): Promise<void> {
    try {
      await follow(tx, changes);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const { kind, subject, cursor } = changes[0]!;
      const which = `the ${kind} of ${subject} (change ${cursor})`;
      throw new FollowerFailed(`follower '${this.#follower.name}' failed at ${which}: ${reason}`, { cause: error });
    }
  }

  /** Ends the turn; returns false if changes are left that were not visible before or are not committed yet. */
  async #settle(item: WorkItem<unknown>, halt: AbortSignal): Promise<boolean> {
    try {
      return await this.#store.transact((tx) =>
        tx.settle(item, async () => {
          const place = await tx.get(followerPositions, this.#follower.name, 'none');
          if (!place) return undefined;
          // No transaction that has woken the follower is still open, so its changes are visible here, including those that the feed still
          // holds back.
          const later = await tx.changesAfter(place.value.cursor, PAGE);
          const isDone = later.length < PAGE && !later.some((change) => this.#follower.wants(change));
          if (isDone) return undefined;
          if (!halt.aborted) throw new MoreToDo();
          return item.dueAt;
        }),
      );
    } catch (error) {
      if (error instanceof MoreToDo) return false;
      throw error;
    }
  }
}
