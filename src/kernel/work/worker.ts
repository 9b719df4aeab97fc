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
  /** Work of a kind that this node has no handler for; told once per kind. */
  unhandled?(kind: string): void;
}

export interface WorkerOptions {
  readonly store: Store;
  readonly clock: JarClock;
  readonly handlers: readonly BoundWork[];
  readonly log: WorkLog;
  readonly hooks?: WorkHooks;
  /** How long a claimed item is this node's without a sign of life. */
  readonly leaseMs?: number;
  /** How often to look for work nobody told of: lost notifications, leases of dead nodes. Never on SQLite, which has neither. */
  readonly safetyPollMs?: number;
}

export interface SettleOptions {
  /** Up to which time of the clock nothing may be left to do. */
  readonly at: () => number;
  /** Asked whenever something happened and while nothing does for `stillMs`; true ends the waiting. */
  readonly giveUp?: (stillMs: number) => boolean;
}

export interface Worker {
  /** The kinds that have a handler here. */
  readonly kinds: readonly string[];
  /** How many items ran here so far, each attempt counted. */
  readonly runs: number;
  /** Stops claiming and resolves when no handler runs. Each call wants its own `resume`. */
  pause(): Promise<void>;
  resume(): void;
  /** Resolves when nothing is due or running, on any node. */
  idle(): Promise<void>;
  /** Lets running handlers finish, for at most `graceMs`; what does not is left to its lease. */
  stop(graceMs?: number): Promise<void>;
}

/** What an advance needs of the worker besides. */
export interface AdvanceableWorker extends Worker {
  readonly stopped: boolean;
  /** Kinds of which one more could start now. */
  freeKinds(): string[];
  /** The clock's `wakesSet` when the item that has been running longest began; undefined when none runs. */
  oldestMark(): number | undefined;
  settle(options: SettleOptions): Promise<void>;
  onFinished(listener: (kind: string) => void): () => void;
}

const LEASE_MS = 30_000;
const SAFETY_POLL_MS = 5000;
const STOP_GRACE_MS = 10_000;
/** Between looks at what other nodes do, while somebody waits for quiet. */
const LOOK_AGAIN_MS = 20;
/** Before trying again when the store did not answer. */
const STORE_FAILED_MS = 1000;
/** Between looks for kinds that have no handler here. */
const UNHANDLED_EVERY_MS = 60_000;

export function startWorker(options: WorkerOptions): AdvanceableWorker {
  return new QueueWorker(options);
}

class QueueWorker implements AdvanceableWorker {
  readonly #options: WorkerOptions;
  readonly #lanes: Lanes;
  readonly #leases: LeaseKeeper;
  readonly #timer: DueTimer;
  /** What runs, and the clock's `wakesSet` when it began; the oldest first. */
  readonly #running = new Map<WorkItem, number>();
  /** Something started, ended or was looked for. */
  readonly #changed = new Signal();
  /** An item ended. */
  readonly #ended = new Signal();
  readonly #finishedListeners = new Set<(kind: string) => void>();
  readonly #ends: (() => void)[] = [];
  readonly #unhandled = new Set<string>();
  /** What this node still holds because the store did not answer when it was to be ended. */
  readonly #stranded = new Set<WorkItem>();
  #lookedForUnhandled = Number.NEGATIVE_INFINITY;
  /** Grows whenever there may be work that the last claim did not see. */
  #news = 0;
  #claiming = false;
  #claimedAt = Number.NEGATIVE_INFINITY;
  #pauses = 0;
  /** Tells what runs to come to an end; a new one when work goes on. */
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

  onFinished(listener: (kind: string) => void): () => void {
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
        await this.#changed.wait(LOOK_AGAIN_MS);
        continue;
      }
      const news = this.#news;
      const left = await this.#options.store.work.pending(at(), this.kinds);
      if (this.#busy() || news !== this.#news) continue;
      if (left === 0) return;
      // Another node is at it, or it has just come free; to look again without a pause would only keep the store busy.
      this.#look();
      await this.#ended.wait(LOOK_AGAIN_MS);
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
    // Whoever has moved the clock or made the work may leave; the work goes on.
    void this.#options.store.onBehalfOf(undefined, () => this.#claim());
  }

  /** One at a time, so that items are claimed in order; asked for while it runs, it goes on until it has seen the latest. */
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

  /** Of a store that does not answer, the store itself tells, and once. */
  #reportUnclaimed(error: unknown): void {
    const level = error instanceof StoreError && error.code === 'UNREACHABLE' ? 'debug' : 'error';
    this.#options.log[level]({ err: error }, 'work could not be claimed; trying again');
  }

  #halted(): boolean {
    return this.#stopped || this.#pauses > 0;
  }

  #ready(): Lane[] {
    return this.#halted() ? [] : this.#lanes.free().filter((lane) => lane.mayHaveDue);
  }

  /**
   * All kinds with room in one claim, so that across kinds the earliest starts first. An item is claimed only when it can start at
   * once: a canceled one then never waits here, and a crash leaves few leases behind.
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
      // They are held by now, and nobody runs them.
      for (const item of claimed) this.#stranded.add(item);
      throw error;
    }
  }

  async #run(item: WorkItem): Promise<void> {
    const { store, clock, log, hooks } = this.#options;
    const lane = this.#lanes.of(item.kind);
    if (lane === undefined) throw new Error(`claimed work of the kind '${item.kind}', which was not asked for`);
    const began = processTime();
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
    for (const listener of this.#finishedListeners) listener(item.kind);
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
        // The claims report a store that does not answer.
      },
    );
  }
}
