import type { Jar, ServiceHost } from '../../kernel/service/index.ts';
import type { WorkStats } from '../../kernel/store/index.ts';
import type { RequestLog } from '../../kernel/telemetry/index.ts';
import { later, processTime, wallNow } from '../../kernel/time/index.ts';
import { healthView } from '../health.ts';
import { type Frame, frameBetween } from './frame.ts';
import { areEqual, type Beginning, isNews, type Position } from './position.ts';

/** At most four frames a second. */
const TICK_MS = 250;
/** After a pause, the first event waits this long for those that it causes. */
const GATHER_MS = 25;
/** Due work and health are polled: the end of an item is not reported, and a long queue takes long to count. */
const POLL_MS = 1_000;
const POLL_SHARE = 20;

export interface HubParts {
  readonly jar: Pick<Jar, 'store' | 'clock' | 'health'>;
  readonly host: Pick<ServiceHost, 'replacements'>;
  readonly requests: RequestLog;
}

/**
 * Tells all clients of the live stream at the same moments that there is news. Clients that keep up thereby ask for the same frame, which
 * is made once; one that does not gets a frame of its own, from its place to the newest moment. Does nothing as long as there is no client.
 */
export class LiveHub {
  readonly #parts: HubParts;
  readonly #clients = new Set<() => void>();
  /** The frames that end at the newest moment, by their beginning. */
  readonly #frames = new Map<Beginning, Promise<Frame>>();
  #newest: Position | undefined;
  #stops: (() => void)[] = [];
  #cancelTick: (() => void) | undefined;
  #cancelPoll: (() => void) | undefined;
  #isTicking = false;
  #isStale = false;
  #tickedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<unknown> = Promise.resolve();
  #serial = 0;
  #moves = 0;
  #work: WorkStats | undefined;
  #change = 0;
  #nextDue: number | undefined;

  constructor(parts: HubParts) {
    this.#parts = parts;
  }

  /** The number of clients. */
  get size(): number {
    return this.#clients.size;
  }

  /** The newest moment of which clients were told. */
  get newest(): Position | undefined {
    return this.#newest;
  }

  /** Calls `notify` when there is news, at most four times a second; returns a function that stops this. */
  watch(notify: () => void): () => void {
    this.#clients.add(notify);
    if (this.#clients.size === 1) this.#start();
    return () => {
      if (this.#clients.delete(notify) && this.#clients.size === 0) this.#stop();
    };
  }

  /** The position of this moment, for a client that begins. */
  async here(): Promise<Position> {
    if (!this.#work) await this.#readWork();
    const position = await this.#read();
    this.#newest ??= position;
    return position;
  }

  frame(from: Beginning, to: Position): Promise<Frame> {
    const { jar, requests } = this.#parts;
    const make = (): Promise<Frame> => frameBetween({ store: jar.store, requests, mode: jar.clock.mode }, from, to);
    if (to !== this.#newest) return make();
    const known = this.#frames.get(from) ?? make();
    this.#frames.set(from, known);
    return known;
  }

  #start(): void {
    const { jar, requests } = this.#parts;
    const note = (): void => this.#note();
    this.#stops = [
      requests.watch(note),
      jar.store.onCommit(({ changes, work }) => {
        if (changes || work) note();
      }),
      jar.clock.onMove(() => {
        this.#moves += 1;
        note();
      }),
    ];
    this.#poll(POLL_MS);
  }

  #stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#cancelTick?.();
    this.#cancelPoll?.();
    this.#cancelTick = undefined;
    this.#cancelPoll = undefined;
    this.#isStale = false;
    this.#newest = undefined;
    this.#work = undefined;
    this.#frames.clear();
  }

  /** Called for every request: does nothing if the next moment is already planned. */
  #note(): void {
    if (this.#cancelTick) return;
    if (this.#isTicking) {
      this.#isStale = true;
      return;
    }
    const wait = Math.max(GATHER_MS, this.#tickedAt + TICK_MS - processTime());
    this.#cancelTick = later(wait, () => {
      this.#cancelTick = undefined;
      void this.#tick();
    });
  }

  async #tick(): Promise<void> {
    this.#isTicking = true;
    this.#isStale = false;
    const before = this.#newest;
    const position = await this.#read();
    this.#isTicking = false;
    if (this.#clients.size === 0) return;
    if (!before || isNews(before, position)) {
      this.#tickedAt = processTime();
      this.#newest = position;
      this.#frames.clear();
      for (const notify of this.#clients) notify();
    }
    if (this.#isStale) this.#note();
  }

  #poll(wait: number): void {
    this.#cancelPoll = later(wait, async () => {
      const began = processTime();
      const before = this.#work;
      await this.#readWork();
      if (this.#clients.size === 0) return;
      const { jar, host } = this.#parts;
      const known = this.#newest;
      if (
        !areEqual(before, this.#work) ||
        (known && (known.replacements !== host.replacements || !areEqual(known.health, healthView(jar))))
      )
        this.#note();
      this.#poll(Math.max(POLL_MS, (processTime() - began) * POLL_SHARE));
    });
  }

  async #readWork(): Promise<void> {
    const { store } = this.#parts.jar;
    if (!store.health().reachable) return;
    try {
      this.#work = await store.work.stats();
    } catch {
      // The frames say by their health that the store does not answer.
    }
  }

  /** Positions are read one after another, so that a later one is never behind an earlier one. */
  #read(): Promise<Position> {
    const position = this.#reading.then(() => this.#readPosition());
    this.#reading = position;
    return position;
  }

  async #readPosition(): Promise<Position> {
    const { jar, host, requests } = this.#parts;
    const { store, clock } = jar;
    if (store.health().reachable) {
      try {
        const [cursor, nextDue] = await Promise.all([store.newestCursor(), store.work.nextDue()]);
        this.#change = Number(cursor ?? 0);
        this.#nextDue = nextDue;
      } catch {
        // As above; the last known values stay.
      }
    }
    this.#serial += 1;
    return {
      serial: this.#serial,
      number: requests.next,
      change: this.#change,
      epoch: clock.epoch,
      replacements: host.replacements,
      now: clock.now(),
      systemAt: wallNow(),
      moves: this.#moves,
      nextDue: this.#nextDue,
      work: this.#work,
      health: healthView(jar),
    };
  }
}
