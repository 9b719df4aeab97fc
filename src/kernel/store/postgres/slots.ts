import { every, processTime } from '../../time/timers.ts';
import { StoreError } from '../errors.ts';
import { type RequestOwners, refuseAbandoned } from '../request-owners.ts';

export interface SlotSettings {
  /** The number of tasks that run at once. */
  readonly size: number;
  /** The maximum number of waiting tasks. */
  readonly queue: number;
  readonly longestWaitMs: number;
  readonly askers: RequestOwners;
}

interface Waiting {
  readonly since: number;
  start(): void;
  refuse(error: StoreError): void;
}

/** The interval at which waiting times are checked. */
const CHECK_INTERVAL_MS = 250;

/** A concurrency limit with a bounded FIFO queue and a time limit for waiting. */
export class Slots {
  readonly #settings: SlotSettings;
  readonly #waiting: Waiting[] = [];
  #free: number;
  #cancelChecks: (() => void) | undefined;

  constructor(settings: SlotSettings) {
    this.#settings = settings;
    this.#free = settings.size;
  }

  async run<R>(task: () => Promise<R>): Promise<R> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#waitForSlot();
    try {
      return await task();
    } finally {
      this.#next();
    }
  }

  async #waitForSlot(): Promise<void> {
    const { queue, askers } = this.#settings;
    if (this.#waiting.length >= queue) {
      throw new StoreError('BUSY', `${queue} calls are waiting for the database already`);
    }
    const asker = askers.current;
    await new Promise<void>((start, refuse) => {
      this.#waiting.push({ since: processTime(), start, refuse });
      this.#cancelChecks ??= every(CHECK_INTERVAL_MS, () => this.#refuseExpired());
    });
    if (!asker?.gone) return;
    this.#next();
    refuseAbandoned(asker);
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next) next.start();
    else this.#free += 1;
    if (this.#waiting.length === 0) this.#stopChecks();
  }

  #refuseExpired(): void {
    const { longestWaitMs } = this.#settings;
    const now = processTime();
    while (this.#waiting.length > 0 && now - this.#waiting[0]!.since > longestWaitMs) {
      const message = `the database was too busy to answer the call within ${longestWaitMs / 1000} s`;
      this.#waiting.shift()!.refuse(new StoreError('BUSY', message));
    }
    if (this.#waiting.length === 0) this.#stopChecks();
  }

  #stopChecks(): void {
    this.#cancelChecks?.();
    this.#cancelChecks = undefined;
  }
}
