import { PIECE_BYTES } from '../storage/index.ts';

export type Piece = Uint8Array<ArrayBuffer>;

/** 32 MiB in total. */
const PIECES = 8;

interface Waiting {
  readonly count: number;
  readonly begin: (pieces: Piece[]) => void;
}

/**
 * A pool of reusable buffers that bounds the memory of all runs that share it. Requests are served in order, and each gets all its buffers
 * at once, so that no request holds some buffers while waiting for more.
 */
export class PiecePool {
  readonly #free: Piece[] = [];
  readonly #waiting: Waiting[] = [];
  #unmade: number;

  constructor(pieces = PIECES) {
    this.#unmade = pieces;
  }

  async take(count: number): Promise<Piece[]> {
    const { promise, resolve } = Promise.withResolvers<Piece[]>();
    this.#waiting.push({ count, begin: resolve });
    this.#serve();
    return promise;
  }

  give(pieces: readonly Piece[]): void {
    this.#free.push(...pieces);
    this.#serve();
  }

  #serve(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      if (this.#free.length + this.#unmade < next.count) return;
      this.#waiting.shift();
      next.begin(Array.from({ length: next.count }, () => this.#free.pop() ?? this.#make()));
    }
  }

  /** Allocated outside Node's small-buffer pool and uninitialised, because each buffer is filled before it is read. */
  #make(): Piece {
    this.#unmade -= 1;
    const made = Buffer.allocUnsafeSlow(PIECE_BYTES);
    return new Uint8Array(made.buffer, made.byteOffset, made.length);
  }
}
