import { collection } from '../store/collection.ts';
import type { Store, Tx } from '../store/types.ts';
import { ClockError } from '../time/errors.ts';
import { every } from '../time/timers.ts';

/** Position of a clock: for the shifted clock its shift against the system's time, for the virtual clock its time. */
export interface Position {
  /** Increases with every reset. Within an epoch `at` only increases, so two positions can always be ordered. */
  readonly epoch: number;
  /** The initial position, to which a reset returns. */
  readonly start: number;
  readonly at: number;
}

export const clockCollection = collection<Position>('kernel.clock', { cached: true, permanent: true });

/** Notifications between nodes can be lost with a connection. */
const LOOK_AGAIN_MS = 5000;

/** A clock's position: stored, and followed when another node moves it. */
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

  /** Raises `at`; does nothing if it is reached already. Throws if the clock was reset meanwhile. */
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

  /** Returns to the start, or to `at` if given, in a new epoch. */
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
      // The store is not reachable: the position is polled again, and moving the clock reads the stored position first.
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
