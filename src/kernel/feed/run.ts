import type { Change, Store, Tx, WorkItem } from '../store/types.ts';
import { type RoundEnd, untilSettled } from '../work/settle.ts';
import type { Follow, FollowerHead } from './index.ts';
import { places } from './places.ts';

const PAGE = 200;

/** Tells the transaction that would end a turn that there is more to do: nothing of it is to happen. */
class MoreToDo extends Error {}

class FollowerFailed extends Error {}

/** One turn of a follower: takes it through the feed until nothing is left for it, and ends the item. */
export class FollowerRun {
  readonly #store: Store;
  readonly #follower: FollowerHead;
  readonly #open: () => Promise<Follow>;
  /** Fewer after a failure, so that what comes before the change that it stumbles over is done. */
  #mostWanted = PAGE;

  constructor(store: Store, follower: FollowerHead, open: () => Promise<Follow>) {
    this.#store = store;
    this.#follower = follower;
    this.#open = open;
  }

  run(item: WorkItem<unknown>, halt: AbortSignal): Promise<void> {
    return untilSettled(async () => {
      let end: RoundEnd = 'unsettled';
      while (!halt.aborted && (await this.#step(halt))) end = 'more';
      return (await this.#settle(item, halt)) ? 'settled' : end;
    });
  }

  /** Takes the follower on to the next changes that it wants; false when there are none. */
  async #step(halt: AbortSignal): Promise<boolean> {
    const place = await this.#store.get(places, this.#follower.name);
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
        // A few that nobody wants are passed over again next time, which costs less than to write the place for them.
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
      const place = await tx.get(places, name);
      // It was stopped or begun anew meanwhile, or another node has it by now.
      if (!place || place.value.cursor !== from) return;
      if (follow) {
        await this.#follow(tx, wanted, follow);
        // What it did may have been the reason to follow.
        if (!(await tx.get(places, name))) return;
      }
      await tx.put(places, name, { cursor: to });
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

  /** Ends the turn; false when something is left that could not be seen before, or may yet be committed. */
  async #settle(item: WorkItem<unknown>, halt: AbortSignal): Promise<boolean> {
    try {
      return await this.#store.transact((tx) =>
        tx.settle(item, async () => {
          const place = await tx.get(places, this.#follower.name, 'none');
          if (!place) return undefined;
          // Nobody who has woken it is under way: what it wants can be seen here, also what the feed holds back yet.
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
