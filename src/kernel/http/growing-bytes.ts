const SMALLEST_BYTES = 4096;

/**
 * Collects bytes in one buffer that doubles. The client chooses the size of the pieces, and storing each piece would cost some 300 bytes: a
 * megabyte in chunks of one byte would take 350 MB.
 */
export class GrowingBytes {
  #buffer: Buffer | undefined;
  #length = 0;

  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    // Most bodies arrive in one piece, which is used directly.
    if (!this.#buffer) this.#buffer = piece;
    else {
      if (length > this.#buffer.length) this.#grow(length);
      piece.copy(this.#buffer, this.#length);
    }
    this.#length = length;
  }

  /** Everything received so far. */
  whole(): Buffer {
    return this.#buffer?.subarray(0, this.#length) ?? Buffer.alloc(0);
  }

  #grow(atLeast: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(SMALLEST_BYTES, atLeast * 2));
    this.#buffer?.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}
