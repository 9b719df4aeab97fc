import { monitorEventLoopDelay } from 'node:perf_hooks';
import { later } from '../../kernel/time/index.ts';

/** The measurement costs a timer, so it ends when nobody has asked for so long. */
const ASKED_WITHIN_MS = 60_000;
const RESOLUTION_MS = 20;
const NANOSECONDS = 1e6;

/** The delay of the event loop since the previous question. */
export class EventLoopDelay {
  #histogram: ReturnType<typeof monitorEventLoopDelay> | undefined;
  #cancel: (() => void) | undefined;

  /** Null for the first question, which starts the measurement. */
  p99(): number | null {
    this.#cancel?.();
    this.#cancel = later(ASKED_WITHIN_MS, () => this.end());
    if (!this.#histogram) {
      this.#histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      this.#histogram.enable();
      return null;
    }
    // A sample contains the interval of the timer.
    const ms = this.#histogram.count === 0 ? 0 : this.#histogram.percentile(99) / NANOSECONDS - RESOLUTION_MS;
    this.#histogram.reset();
    return Math.max(0, Math.round(ms * 10) / 10);
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#histogram?.disable();
    this.#histogram = undefined;
  }
}
