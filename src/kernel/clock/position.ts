import { collection } from '../store/collection.ts';
import type { Store, Tx } from '../store/types.ts';
import { ClockError } from '../time/errors.ts';
import { every } from '../time/timers.ts';

/** How far a clock is: its shift against the system's for the shifted clock, its time for the virtual one. */
export interface Position {
  /** Grows with every reset. Within an epoch `at` only grows, so that of two positions it is always clear which is newer. */
  readonly epoch: number;
  /** Where it began and where a reset brings it back to. */
  readonly start: number;
  readonly at: number;
}

export const clockCollection = collection<Position>('kernel.clock', { cached: true, permanent: true });

/** News between nodes can get lost with a connection. */
const LOOK_AGAIN_MS = 5000;

/** A clock's position, kept in the store and followed there when another node moves it. */
export class StoredPosition {
  readonly #store: Store;
  readonly #key: string;
  readonly #changed: (from: Position, to: Position) => void;
  readonly #ends: (() => void)[] = [];
  #current: Position;

  static async open(
    store: Store,
    key: string,
    start: number,
    changed: (from: Position, to: Position) => void,
  ): Promise<StoredPosition> {
    const current = await store.transact(async (tx) => {
      const stored = await tx.get(clockCollection, key);
      return (stored ?? (await tx.put(clockCollection, key, { epoch: 0, start, at: start }))).value;
    });
    return new StoredPosition(store, key, current, changed);
  }

  private constructor(store: Store, key: string, current: Position, changed: (from: Position, to: Position) => void) {
    this.#store = store;
    this.#key = key;
    this.#current = current;
    this.#changed = changed;
    this.#ends.push(
      store.onCommit((news) => {
        if (news.collections.includes(clockCollection.name)) this.#follow();
      }),
    );
    if (store.hasOtherWriters) this.#ends.push(every(LOOK_AGAIN_MS, () => this.#follow()));
  }

  get current(): Position {
    return this.#current;
  }

  /** Raises `at`; nothing happens when it is there already, and it fails when the clock was reset meanwhile. */
  async raise(at: number): Promise<void> {
    const { epoch } = this.#current;
    if (at <= this.#current.at) return;
    const next = await this.#store.transact(async (tx) => {
      const stored = await tx.get(clockCollection, this.#key);
      const value = stored?.value ?? this.#current;
      if (value.epoch !== epoch || value.at >= at) return value;
      return (await tx.put(clockCollection, this.#key, { ...value, at })).value;
    });
    this.#adopt(next);
    if (next.epoch !== epoch) throw new ClockError('INTERRUPTED', 'the clock was reset while it was moved');
  }

  get key(): string {
    return this.#key;
  }

  /** Back to the start, or to `at` when it is given, in a new epoch. */
  async reset(tx: Tx, at?: number): Promise<Position> {
    const value = (await tx.get(clockCollection, this.#key))?.value ?? this.#current;
    const next = { epoch: value.epoch + 1, start: value.start, at: at ?? value.start };
    await tx.put(clockCollection, this.#key, next);
    tx.afterCommit(() => this.#adopt(next));
    return next;
  }

  close(): void {
    for (const end of this.#ends.splice(0)) end();
  }

  async refresh(): Promise<void> {
    const stored = await this.#store.get(clockCollection, this.#key);
    if (stored) this.#adopt(stored.value);
  }

  #follow(): void {
    this.refresh().catch(() => {
      // Unreachable now: it is looked up again, and a move of our own reads the stored position first.
    });
  }

  #adopt(next: Position): void {
    const from = this.#current;
    const newer = next.epoch > from.epoch || (next.epoch === from.epoch && next.at > from.at);
    if (!newer) return;
    this.#current = next;
    this.#changed(from, next);
  }
}
