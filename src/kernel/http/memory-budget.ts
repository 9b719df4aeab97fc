export interface MemoryBounds {
  /** Of all large bodies together. One that is alone may be larger. */
  readonly bytes: number;
  /** Large bodies at once; the same again for bodies that are streamed. */
  readonly count: number;
}

export const shareOf = ({ bytes, count }: MemoryBounds, share: number): MemoryBounds => ({
  bytes: Math.ceil(bytes * share),
  count: Math.ceil(count * share),
});

/** A part of the budget, until it is released. */
export interface Lease {
  /** False, and nothing taken, where there is no room for so many bytes more. */
  grow(bytes: number): boolean;
  readonly release: () => void;
}

/** Bodies below this are not counted: there are many of them, and each is gone soon. */
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
