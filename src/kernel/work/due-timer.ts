import type { JarClock } from '../clock/types.ts';
import type { Store } from '../store/types.ts';
import { after } from '../time/timers.ts';

/** The delay before the next try if an item is due but cannot be claimed, because another node is processing it. */
const DUE_BUT_TAKEN_MS = 50;

/** Calls back when the next item is due. A standing clock needs no such timer: it notifies when it moves. */
export class DueTimer {
  readonly #store: Store;
  readonly #clock: JarClock;
  readonly #due: () => void;
  #cancel: (() => void) | undefined;
  #kinds: ReadonlySet<string> = new Set();
  #news = -1;
  #failed = false;
  #closed = false;

  constructor(store: Store, clock: JarClock, due: () => void) {
    this.#store = store;
    this.#clock = clock;
    this.#due = due;
  }

  /** Whether the last call was `tryAgainIn`. */
  get failed(): boolean {
    return this.#failed;
  }

  /**
   * Waits for the next item of these kinds, after items due at `claimedAt` were claimed. The store is queried only if `news` has changed or a kind was added.
   */
  async set(kinds: readonly string[], news: number, claimedAt: number): Promise<void> {
    this.#failed = false;
    if (this.#clock.mode === 'virtual') return;
    if (news === this.#news && kinds.every((kind) => this.#kinds.has(kind))) return;
    const time = kinds.length === 0 ? undefined : await this.#store.work.nextDue(kinds);
    this.#stop();
    this.#kinds = new Set(kinds);
    this.#news = news;
    if (time === undefined || this.#closed) return;
    if (time > claimedAt) this.#cancel = this.#clock.wakeAt(time, () => this.#ring());
    else this.#cancel = after(DUE_BUT_TAKEN_MS, () => this.#ring());
  }

  tryAgainIn(ms: number): void {
    this.#stop();
    this.#failed = true;
    this.#cancel = after(ms, () => this.#ring());
  }

  close(): void {
    this.#closed = true;
    this.#stop();
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #ring(): void {
    this.#cancel = undefined;
    this.#failed = false;
    this.#due();
  }
}
