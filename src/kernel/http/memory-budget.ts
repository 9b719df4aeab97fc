export interface MemoryBounds {
  /** Limit of all large bodies together. A single body may be larger if it is the only one. */
  readonly bytes: number;
  /** Number of concurrent large bodies; separately, the same number of streamed bodies. */
  readonly count: number;
  /** Smaller bodies are not counted; `LARGE_BODY_BYTES` by default. */
  readonly countsAbove?: number;
}

/** More than an unauthenticated client normally sends, except for deliveries to an inbox. */
const LARGE_FOR_STRANGERS_BYTES = 64 * 1024;

/**
 * A separate budget for unauthenticated clients. It counts smaller bodies too, because such a body costs the client only a connection for
 * as long as it takes to send the rest. So it allows more bodies, in less memory.
 */
export const boundsForStrangers = ({ bytes, count }: MemoryBounds): MemoryBounds => ({
  bytes: Math.ceil(bytes / 4),
  count: count * 4,
  countsAbove: LARGE_FOR_STRANGERS_BYTES,
});

/** A reserved part of the budget, until it is released. */
export interface Lease {
  /** Returns false, and reserves nothing, if there is no room for the additional bytes. */
  grow(bytes: number): boolean;
  readonly release: () => void;
}

/** Smaller bodies of authenticated callers are not counted: they are frequent and short-lived. */
export const LARGE_BODY_BYTES = 1024 * 1024;

/**
 * Limits the memory for large bodies: each one is within the limit of its API, but all of them together could exceed the machine's memory.
 */
export class MemoryBudget {
  readonly #bounds: MemoryBounds;
  #bytes = 0;
  #bodies = 0;
  #streams = 0;

  constructor(bounds: MemoryBounds) {
    this.#bounds = bounds;
  }

  /** Bodies up to this size need no lease. */
  get countsAbove(): number {
    return this.#bounds.countsAbove ?? LARGE_BODY_BYTES;
  }

  /** Current usage. */
  get held(): { readonly bytes: number; readonly bodies: number; readonly streams: number } {
    return { bytes: this.#bytes, bodies: this.#bodies, streams: this.#streams };
  }

  /** Reserves a place for a body of known or estimated size; undefined if there is no room. Bytes count when they arrive. */
  lease(expectedBytes: number): Lease | undefined {
    if (this.#bodies >= this.#bounds.count || !this.#hasRoom(expectedBytes, 0)) return undefined;
    this.#bodies += 1;
    let own = 0;
    return {
      grow: (bytes) => {
        if (!this.#hasRoom(bytes, own)) return false;
        own += bytes;
        this.#bytes += bytes;
        return true;
      },
      release: once(() => {
        this.#bodies -= 1;
        this.#bytes -= own;
      }),
    };
  }

  /** For a body that is streamed to disk; returns the function to call at its end. */
  stream(): (() => void) | undefined {
    if (this.#streams >= this.#bounds.count) return undefined;
    this.#streams += 1;
    return once(() => {
      this.#streams -= 1;
    });
  }

  #hasRoom(bytes: number, own: number): boolean {
    const others = this.#bytes - own;
    return others === 0 || this.#bytes + bytes <= this.#bounds.bytes;
  }
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
}
