export interface MemoryBounds {
  /** Of all large bodies together. One that is alone may be larger. */
  readonly bytes: number;
  /** Large bodies at once; the same again for bodies that are streamed. */
  readonly count: number;
  /** Bodies of no more bytes than this are not counted; `LARGE_BODY_BYTES` unless given. */
  readonly countsAbove?: number;
}

/** More than an honest stranger sends, but for deliveries to an inbox. */
const LARGE_FOR_STRANGERS_BYTES = 64 * 1024;

/**
 * What strangers get beside the budget of callers. Small bodies count as well: each costs a stranger a connection and nothing else, for as
 * long as he takes to send the rest. So there may be more of them, in less memory.
 */
export const boundsForStrangers = ({ bytes, count }: MemoryBounds): MemoryBounds => ({
  bytes: Math.ceil(bytes / 4),
  count: count * 4,
  countsAbove: LARGE_FOR_STRANGERS_BYTES,
});

/** A part of the budget, until it is released. */
export interface Lease {
  /** False, and nothing taken, where there is no room for so many bytes more. */
  grow(bytes: number): boolean;
  readonly release: () => void;
}

/** Bodies of callers below this are not counted: there are many of them, and each is gone soon. */
export const LARGE_BODY_BYTES = 1024 * 1024;

/** How much of large bodies a jar holds in memory at once: each is allowed by its API, and together they would be more than a machine has. */
export class MemoryBudget {
  readonly #bounds: MemoryBounds;
  #bytes = 0;
  #bodies = 0;
  #streams = 0;

  constructor(bounds: MemoryBounds) {
    this.#bounds = bounds;
  }

  /** Bodies of no more bytes than this need no lease. */
  get countsAbove(): number {
    return this.#bounds.countsAbove ?? LARGE_BODY_BYTES;
  }

  /** What is held at the moment. */
  get held(): { readonly bytes: number; readonly bodies: number; readonly streams: number } {
    return { bytes: this.#bytes, bodies: this.#bodies, streams: this.#streams };
  }

  /** For a body of a size that is known or supposed; undefined where there is no room for it. Bytes count when they are there. */
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

  /** For a body that goes to the disk as it comes; gives what to call at its end. */
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
