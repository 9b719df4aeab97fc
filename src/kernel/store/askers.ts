import { AsyncLocalStorage } from 'node:async_hooks';
import { StoreError } from './errors.ts';
import type { WorkItem } from './types.ts';

/** On whose behalf something is done: a client that may leave while it waits for its answer, or whoever holds an item of work. */
export interface Asker {
  /** Whether it has left and nothing was done for it: what has once been begun is brought to its end. */
  readonly gone: boolean;
  readonly holds?: HeldItem;
  /** Told when something was committed on its behalf, or may have been. */
  committed?(): void;
}

/** Without the item nothing may be recorded, until whoever holds it has ended it. */
export interface HeldItem {
  readonly item: WorkItem;
  ended: boolean;
}

/** Knows who waits for what is being done, wherever it is done: a request goes through many functions before it comes to the store. */
export class Askers {
  readonly #storage = new AsyncLocalStorage<Asker>();

  get current(): Asker | undefined {
    return this.#storage.getStore();
  }

  /** With `undefined` for what goes on by itself, whoever has set it off. */
  run<R>(asker: Asker | undefined, action: () => R): R {
    return asker ? this.#storage.run(asker, action) : this.#storage.exit(action);
  }
}

/** A request whose client has left is not begun, and one that was begun is rolled back: the client believes that it has failed. */
export function refuseAbandoned(asker: Asker | undefined): void {
  if (asker?.gone) throw new StoreError('ABANDONED', 'the client has left before its request was done');
}
