import { AsyncLocalStorage } from 'node:async_hooks';
import { StoreError } from './errors.ts';
import type { WorkItem } from './types.ts';

/** The party that an operation runs for: a client that may disconnect while it waits for its answer, or the holder of a work item. */
export interface RequestOwner {
  /** True if the client has disconnected and nothing was committed for it. An operation that has committed something is completed. */
  readonly gone: boolean;
  readonly holds?: HeldItem;
  /** Called when something was committed for this asker, or may have been. */
  committed?(): void;
}

/** While the holder has not ended the item, its lease is checked before anything is committed. */
export interface HeldItem {
  readonly item: WorkItem;
  ended: boolean;
}

/** Tracks the asker of the current operation across async calls: a request passes through many functions before it reaches the store. */
export class RequestOwners {
  readonly #storage = new AsyncLocalStorage<RequestOwner>();

  get current(): RequestOwner | undefined {
    return this.#storage.getStore();
  }

  /** Pass `undefined` for background work, whatever triggered it. */
  run<R>(asker: RequestOwner | undefined, action: () => R): R {
    return asker ? this.#storage.run(asker, action) : this.#storage.exit(action);
  }
}

/**
 * If the client has disconnected, its request is not started, or is rolled back if it was started: the client believes that it has failed.
 */
export function refuseAbandoned(asker: RequestOwner | undefined): void {
  if (asker?.gone) throw new StoreError('ABANDONED', 'the client disconnected before its request was completed');
}
