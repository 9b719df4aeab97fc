import { every, later } from '../time/timers.ts';
import { EngineUnavailable } from './types.ts';

export interface HangDetectorOptions {
  /** After a call has waited this long the engine is pinged, and must answer the ping within the same time. */
  readonly patienceMs: number;
  /** Rejects if no response arrives in time. */
  ping(withinMs: number): Promise<void>;
}

/** A call that waits for its response; `destroy` aborts it. */
export interface WaitingCall {
  destroy(reason: Error): unknown;
}

const PROBE_EVERY_MS = 1000;

/**
 * Circuit breaker that distinguishes a busy engine from one that hangs: starting a container may take minutes, a ping may not. If a ping
 * fails, all waiting calls are aborted, and further calls fail at once until a ping succeeds.
 */
export class HangDetector {
  readonly #options: HangDetectorOptions;
  readonly #waiting = new Set<WaitingCall>();
  /** The calls that were already waiting at the previous check. */
  #slow: ReadonlySet<WaitingCall> = new Set();
  #stopLooking: (() => void) | undefined;
  #cancelProbe: (() => void) | undefined;
  #asking = false;
  #trouble: string | undefined;
  #closed = false;

  constructor(options: HangDetectorOptions) {
    this.#options = options;
  }

  /** Why the engine counts as hanging; undefined while it does not. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  check(): void {
    if (this.#trouble !== undefined) throw new EngineUnavailable(this.#trouble);
  }

  /** Returns the function to call when the response has arrived. */
  watch(call: WaitingCall): () => void {
    this.#waiting.add(call);
    this.#stopLooking ??= every(this.#options.patienceMs, () => void this.#look());
    return () => {
      this.#waiting.delete(call);
      if (this.#waiting.size === 0) this.#rest();
    };
  }

  close(): void {
    this.#closed = true;
    this.#rest();
    this.#cancelProbe?.();
  }

  #rest(): void {
    this.#stopLooking?.();
    this.#stopLooking = undefined;
    this.#slow = new Set();
  }

  async #look(): Promise<void> {
    const isSlow = [...this.#waiting].some((call) => this.#slow.has(call));
    this.#slow = new Set(this.#waiting);
    if (!isSlow || this.#asking) return;
    this.#asking = true;
    const answers = await this.#answers();
    this.#asking = false;
    if (!answers && !this.#closed && this.#trouble === undefined) this.#giveUp();
  }

  #giveUp(): void {
    this.#trouble = `the container engine hangs: it has not answered a ping for ${this.#options.patienceMs / 1000} s`;
    for (const call of this.#waiting) call.destroy(new EngineUnavailable(this.#trouble));
    this.#probeSoon();
  }

  #probeSoon(): void {
    this.#cancelProbe = later(PROBE_EVERY_MS, async () => {
      const answers = await this.#answers();
      if (this.#closed) return;
      if (answers) this.#trouble = undefined;
      else this.#probeSoon();
    });
  }

  #answers(): Promise<boolean> {
    return this.#options.ping(this.#options.patienceMs).then(
      () => true,
      () => false,
    );
  }
}
