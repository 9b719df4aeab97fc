import type { Calls } from '../outbound/calls.ts';
import { OutboundError } from '../outbound/errors.ts';

const MOST_BYTES = 128 * 1024 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly enter: () => void;
}

/**
 * Memory limit for large messages that are being sent by this node, across all destinations: a receiver that hangs holds its message until
 * the timeout, and a thousand of them must not use up the memory. A message larger than the limit is sent alone.
 */
export class InFlightMemory {
  readonly #most: number;
  readonly #waiting: Waiting[] = [];
  #taken = 0;

  constructor(most = MOST_BYTES) {
    this.#most = most;
  }

  /**
   * Waits, in order of arrival, until there is room for the message; returns the function that releases it. Rejects if the calls are
   * aborted first.
   */
  enter(bytes: number, calls: Calls): Promise<() => void> {
    const leave = (): void => {
      this.#taken -= bytes;
      this.#admit();
    };
    if (this.#waiting.length === 0 && this.#holds(bytes)) {
      this.#taken += bytes;
      return Promise.resolve(leave);
    }
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        bytes,
        enter: () => {
          calls.remove(onCancel);
          resolve(leave);
        },
      };
      const onCancel = (): void => {
        calls.remove(onCancel);
        this.#waiting.splice(this.#waiting.indexOf(one), 1);
        this.#admit();
        reject(new OutboundError('Aborted', 'cancelled before it was sent'));
      };
      this.#waiting.push(one);
      if (calls.areCancelled) onCancel();
      else calls.add(onCancel);
    });
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next && this.#holds(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#taken += next.bytes;
      next.enter();
    }
  }

  #holds(bytes: number): boolean {
    return this.#taken === 0 || this.#taken + bytes <= this.#most;
  }
}
