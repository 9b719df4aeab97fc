import type { Store, WorkItem } from '../store/types.ts';
import { every } from '../time/timers.ts';

/** Renews the leases of running items, early enough that two renewals may fail. */
export class LeaseKeeper {
  readonly #store: Store;
  readonly #leaseMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #held = new Set<WorkItem>();
  #stopTimer: (() => void) | undefined;

  constructor(store: Store, leaseMs: number, onError: (error: unknown) => void) {
    this.#store = store;
    this.#leaseMs = leaseMs;
    this.#onError = onError;
  }

  keep(item: WorkItem): void {
    this.#held.add(item);
    this.#stopTimer ??= every(this.#leaseMs / 3, () => void this.#renew());
  }

  drop(item: WorkItem): void {
    this.#held.delete(item);
    if (this.#held.size === 0) this.stop();
  }

  stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  async #renew(): Promise<void> {
    const items = [...this.#held];
    try {
      const still = new Set(await this.#store.work.renew(items, this.#leaseMs));
      // Lost leases are not renewed; the handler notices when it completes the item.
      for (const item of items) if (!still.has(item.id)) this.#held.delete(item);
    } catch (error) {
      this.#onError(error);
    }
  }
}
