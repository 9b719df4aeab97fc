import type { JarClock } from '../clock/types.ts';
import { StoreError } from '../store/errors.ts';
import type { Store, WorkItem } from '../store/types.ts';
import { every, processTime } from '../time/timers.ts';
import { type Attempt, runAttempt } from './attempt.ts';
import { DueTimer } from './due-timer.ts';
import type { BoundWork } from './kind.ts';
import { type Lane, Lanes, noteClaimed } from './lanes.ts';
import { LeaseKeeper } from './leases.ts';
import { Signal } from './signal.ts';
import { claimedInTime, putBack } from './stale-claim.ts';

/** The part of the jar's logger that the worker uses. */
export interface WorkLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** For metrics; each is called synchronously and must not throw. */
export interface WorkHooks {
  started?(kind: string): void;
  finished?(kind: string, outcome: Attempt, durationMs: number): void;
  /** Called once for each kind of work that this node has no handler for. */
  unhandled?(kind: string): void;
}

export interface WorkerOptions {
  readonly store: Store;
  readonly clock: JarClock;
  readonly handlers: readonly BoundWork[];
  readonly log: WorkLog;
  readonly hooks?: WorkHooks;
  /** How long a claimed item stays leased without renewal. */
  readonly leaseMs?: number;
  /** The interval of polls for work without a notice: lost notices, leases of dead nodes. Not used with SQLite, which has neither. */
  readonly safetyPollMs?: number;
}

export interface SettleOptions {
  /** Waits until no work is left that is due up to this time. */
  readonly at: () => number;
  /** Called after every event, and while nothing happens for `stillMs`; return true to stop waiting. */
  readonly giveUp?: (stillMs: number) => boolean;
}

export interface Worker {
  /** The kinds that have a handler on this node. */
  readonly kinds: readonly string[];
  /** The number of attempts run on this node so far. */
  readonly runs: number;
  /** Stops claiming, and resolves when no handler is running. Each call requires its own `resume`. */
  pause(): Promise<void>;
  resume(): void;
  /** Resolves when nothing is due or running, on any node. */
  idle(): Promise<void>;
  /** Waits at most `graceMs` for running handlers; the leases of the others expire. */
  stop(graceMs?: number): Promise<void>;
}

/** Additional methods for advancing the clock. */
export interface AdvanceableWorker extends Worker {
  readonly stopped: boolean;
  /** Kinds with spare concurrency. */
  freeKinds(): string[];
  /** The clock's `wakesSet` when the longest-running item started; undefined if none runs. */
  oldestMark(): number | undefined;
  settle(options: SettleOptions): Promise<void>;
  onFinished(listener: (ran: Ran) => void): () => void;
}

/** An item that has run. */
export interface Ran extends Pick<WorkItem, 'id' | 'kind' | 'payload'> {
  /** The jar's time at its start. */
  readonly at: number;
  readonly outcome: Attempt;
}

const LEASE_MS = 30_000;
const SAFETY_POLL_MS = 5000;
const STOP_GRACE_MS = 10_000;
/** The interval of checks for other nodes' work while `settle` waits. */
const POLL_INTERVAL_MS = 20;
/** The pause after the store did not answer. */
const STORE_FAILED_MS = 1000;
/** The interval of checks for kinds that have no handler here. */
const UNHANDLED_EVERY_MS = 60_000;

export function startWorker(options: WorkerOptions): AdvanceableWorker {
  return new QueueWorker(options);
}

class QueueWorker implements AdvanceableWorker {
  readonly #options: WorkerOptions;
  readonly #lanes: Lanes;
  readonly #leases: LeaseKeeper;
  readonly #timer: DueTimer;
  /** Running items with the clock's `wakesSet` at their start; the oldest first. */
  readonly #running = new Map<WorkItem, number>();
  /** Raised when an item started or ended, or a claim ended. */
  readonly #changed = new Signal();
  /** Raised when an item ended. */
  readonly #ended = new Signal();
  readonly #finishedListeners = new Set<(ran: Ran) => void>();
  readonly #ends: (() => void)[] = [];
  readonly #unhandled = new Set<string>();
  /** Items that are still leased by this node, because the store did not answer when they ended. */
  readonly #stranded = new Set<WorkItem>();
  #lookedForUnhandled = Number.NEGATIVE_INFINITY;
  /** Incremented whenever there may be work that the last claim did not see. */
  #news = 0;
  #claiming = false;
  #claimedAt = Number.NEGATIVE_INFINITY;
  #pauses = 0;
  /** Aborted to stop running items; replaced when work resumes. */
  #halt = new AbortController();
  #stopped = false;
  #starts = 0;
  #runs = 0;

  constructor(options: WorkerOptions) {
    const { store, clock, handlers, safetyPollMs = SAFETY_POLL_MS, leaseMs = LEASE_MS } = options;
    this.#options = options;
    this.#lanes = new Lanes(handlers);
    this.#leases = new LeaseKeeper(store, leaseMs, (error) =>
      this.#options.log.warn({ err: error }, 'leases not renewed'),
    );
    this.#timer = new DueTimer(store, clock, () => this.#look());
    this.#ends.push(
      store.onCommit((news) => {
        if (!news.work) return;
        this.#look();
        this.#lookForUnhandled();
      }),
      clock.onMove(() => this.#look()),
    );
    if (store.hasOtherWriters) this.#ends.push(every(safetyPollMs, () => this.#look()));
    this.#look();
    this.#lookForUnhandled();
  }

  get kinds(): readonly string[] {
    return this.#lanes.kinds;
  }

  get runs(): number {
    return this.#runs;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  freeKinds(): string[] {
    return this.#lanes.free().map((lane) => lane.kind);
  }

  oldestMark(): number | undefined {
    return this.#running.values().next().value;
  }

  onFinished(listener: (ran: Ran) => void): () => void {
    this.#finishedListeners.add(listener);
    return () => void this.#finishedListeners.delete(listener);
  }

  async pause(): Promise<void> {
    this.#pauses += 1;
    this.#halt.abort();
    while (this.#busy()) await this.#changed.wait(STORE_FAILED_MS);
  }

  resume(): void {
    if (this.#pauses === 0) throw new Error('the worker is not paused');
    this.#pauses -= 1;
    if (this.#pauses === 0 && !this.#stopped) this.#halt = new AbortController();
    this.#look();
  }

  idle(): Promise<void> {
    return this.settle({ at: () => this.#options.clock.now() });
  }

  async settle({ at, giveUp = () => this.#stopped }: SettleOptions): Promise<void> {
    let activity = -1;
    let since = processTime();
    for (;;) {
      if (activity !== this.#starts + this.#runs) {
        activity = this.#starts + this.#runs;
        since = processTime();
      }
      if (giveUp(processTime() - since)) return;
      if (this.#busy()) {
        await this.#changed.wait(POLL_INTERVAL_MS);
        continue;
      }
      const news = this.#news;
      const left = await this.#options.store.work.pending(at(), this.kinds);
      if (this.#busy() || news !== this.#news) continue;
      if (left === 0) return;
      // Another node is processing the item, or it has just become free; polling without a pause would only load the store.
      this.#look();
      await this.#ended.wait(POLL_INTERVAL_MS);
    }
  }

  async stop(graceMs = STOP_GRACE_MS): Promise<void> {
    this.#stopped = true;
    this.#halt.abort();
    for (const end of this.#ends.splice(0)) end();
    this.#timer.close();
    const deadline = processTime() + graceMs;
    while (this.#busy() && processTime() < deadline) await this.#changed.wait(deadline - processTime());
    this.#leases.stop();
    this.#changed.raise();
  }

  #busy(): boolean {
    return this.#claiming || this.#running.size > 0;
  }

  #look(): void {
    this.#news += 1;
    this.#lanes.anythingMayBeDue();
    // Background work: it continues if the client that caused it disconnects.
    void this.#options.store.onBehalfOf(undefined, () => this.#claim());
  }

  /**
   * Only one claim runs at a time, so that items are claimed in order. A call during a claim makes it repeat until it has seen all work.
   */
  async #claim(): Promise<void> {
    if (this.#claiming) return;
    this.#claiming = true;
    try {
      while (this.#ready().length > 0) await this.#claimSome(this.#ready());
      if (!this.#halted()) await this.#timer.set(this.freeKinds(), this.#news, this.#claimedAt);
    } catch (error) {
      if (!this.#stopped) {
        this.#reportUnclaimed(error);
        this.#timer.tryAgainIn(STORE_FAILED_MS);
      }
    } finally {
      this.#claiming = false;
      this.#changed.raise();
    }
    if (this.#ready().length > 0 && !this.#timer.failed) void this.#claim();
  }

  /** The store itself reports once that it does not answer. */
  #reportUnclaimed(error: unknown): void {
    const level = error instanceof StoreError && error.code === 'UNREACHABLE' ? 'debug' : 'error';
    this.#options.log[level]({ err: error }, 'work could not be claimed; retrying');
  }

  #halted(): boolean {
    return this.#stopped || this.#pauses > 0;
  }

  #ready(): Lane[] {
    return this.#halted() ? [] : this.#lanes.free().filter((lane) => lane.mayHaveDue);
  }

  /**
   * Claims for all kinds with spare concurrency together, so that the earliest item starts first across kinds. An item is claimed only if
   * it can start immediately: a cancelled item then never waits here, and a crash leaves few leases behind.
   */
  async #claimSome(ready: readonly Lane[]): Promise<void> {
    const { store, clock, leaseMs = LEASE_MS } = this.#options;
    for (const item of this.#stranded) {
      await putBack(store, item);
      this.#stranded.delete(item);
    }
    const news = this.#news;
    const kinds = ready.map((lane) => lane.kind);
    const rooms = ready.map((lane) => lane.width - lane.running);
    const limit = rooms.reduce((sum, room) => sum + room, 0);
    this.#claimedAt = clock.now();
    const { epoch } = clock;
    const all = await store.work.claim({ kinds, rooms, now: this.#claimedAt, limit, leaseMs });
    const items = await this.#inTime(all, epoch);
    if (news === this.#news) noteClaimed(ready, rooms, items);
    for (const item of items) void this.#run(item);
  }

  async #inTime(claimed: WorkItem[], epoch: number): Promise<WorkItem[]> {
    const { store, clock } = this.#options;
    try {
      return await claimedInTime(claimed, epoch, { store, clock });
    } catch (error) {
      // The items are leased now, but not running.
      for (const item of claimed) this.#stranded.add(item);
      throw error;
    }
  }

  async #run(item: WorkItem): Promise<void> {
    const { store, clock, log, hooks } = this.#options;
    const lane = this.#lanes.of(item.kind);
    if (lane === undefined) throw new Error(`claimed work of the kind '${item.kind}', which was not requested`);
    const began = processTime();
    const at = clock.now();
    this.#starts += 1;
    lane.running += 1;
    this.#running.set(item, clock.wakesSet);
    this.#leases.keep(item);
    hooks?.started?.(item.kind);
    const attempt = { handler: lane.handler, store, clock, log, halt: this.#halt.signal };
    const holder = { gone: false, holds: { item, ended: false } };
    const outcome = await store.onBehalfOf(holder, () => runAttempt(item, attempt));
    this.#leases.drop(item);
    this.#running.delete(item);
    lane.running -= 1;
    this.#runs += 1;
    hooks?.finished?.(item.kind, outcome, processTime() - began);
    const { id, kind, payload } = item;
    for (const listener of this.#finishedListeners) listener({ id, kind, payload, at, outcome });
    if (outcome === 'unknown') {
      this.#stranded.add(item);
      this.#lanes.anythingMayBeDue();
    }
    this.#ended.raise();
    this.#changed.raise();
    void this.#claim();
  }

  #lookForUnhandled(): void {
    if (processTime() - this.#lookedForUnhandled < UNHANDLED_EVERY_MS) return;
    this.#lookedForUnhandled = processTime();
    const { store, log, hooks } = this.#options;
    store.work.kinds().then(
      (kinds) => {
        for (const kind of kinds) {
          if (this.#unhandled.has(kind) || this.#lanes.of(kind) !== undefined) continue;
          this.#unhandled.add(kind);
          log.warn({ kind }, 'there is work of a kind that has no handler here; it is left for other nodes');
          hooks?.unhandled?.(kind);
        }
      },
      () => {
        // `#claim` reports a store that does not answer.
      },
    );
  }
}
