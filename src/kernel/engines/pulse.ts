import { every, later } from '../time/timers.ts';
import { EngineUnavailable } from './types.ts';

export interface PulseOptions {
  /** A call that has waited so long has the engine asked whether it is there, and this is how long that answer may take. */
  readonly patienceMs: number;
  /** Rejects when there is no answer in time. */
  ping(withinMs: number): Promise<void>;
}

/** A call whose answer is waited for, and how it is given up. */
export interface WaitingCall {
  destroy(reason: Error): unknown;
}

const PROBE_EVERY_MS = 1000;

/**
 * Tells an engine that is at work from one that hangs: starting a container may take minutes, the answer to a ping may not. When a ping
 * is not answered, all calls that wait are given up, and further ones are refused at once until one is.
 */
export class Pulse {
  readonly #options: PulseOptions;
  readonly #waiting = new Set<WaitingCall>();
  /** Those of them that waited already when they were last looked at. */
  #slow: ReadonlySet<WaitingCall> = new Set();
  #stopLooking: (() => void) | undefined;
  #cancelProbe: (() => void) | undefined;
  #asking = false;
  #trouble: string | undefined;
  #closed = false;

  constructor(options: PulseOptions) {
    this.#options = options;
  }

  /** What is wrong, while something is. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  check(): void {
    if (this.#trouble !== undefined) throw new EngineUnavailable(this.#trouble);
  }

  /** Gives the function to call when the answer is there. */
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
