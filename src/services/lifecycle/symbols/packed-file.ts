import { createInflateRaw, type InflateRaw } from 'node:zlib';

/** Random access to the bytes of a file. */
export interface Source {
  /** Returns fewer bytes at the end of the file. Offsets should ascend: an earlier offset may return nothing. */
  read(offset: number, length: number): Promise<Buffer>;
}

export const sourceOf = (file: Buffer): Source => ({
  read: async (offset, length) => file.subarray(offset, offset + length),
});

const CHUNK_BYTES = 64 * 1024;

/**
 * A compressed file that is unpacked only as far as it is read, and keeps only the last bytes read in memory: a few bytes of an archive can
 * expand to hundreds of megabytes.
 */
export class PackedFile implements Source {
  readonly #inflate: InflateRaw;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #most: number;
  #held: Buffer = Buffer.alloc(0);
  /** Offset of the buffered bytes. */
  #start = 0;
  #unpackedBytes = 0;

  /** Reading throws beyond `most` unpacked bytes. */
  constructor(packed: Buffer, most: number) {
    this.#inflate = createInflateRaw({ chunkSize: CHUNK_BYTES });
    this.#chunks = this.#inflate[Symbol.asyncIterator]();
    this.#most = most;
    this.#inflate.end(packed);
  }

  get unpackedBytes(): number {
    return this.#unpackedBytes;
  }

  async read(offset: number, length: number): Promise<Buffer> {
    if (offset < this.#start) return Buffer.alloc(0);
    while (offset >= this.#start + this.#held.length) {
      const chunk = await this.#next();
      if (!chunk) return Buffer.alloc(0);
      this.#start += this.#held.length;
      this.#held = chunk;
    }
    const parts = [this.#held.subarray(offset - this.#start)];
    let there = parts[0]?.length ?? 0;
    while (there < length) {
      const chunk = await this.#next();
      if (!chunk) break;
      parts.push(chunk);
      there += chunk.length;
    }
    this.#held = Buffer.concat(parts);
    this.#start = offset;
    return this.#held.subarray(0, length);
  }

  close(): void {
    this.#inflate.destroy();
  }

  async #next(): Promise<Buffer | undefined> {
    const { done, value } = await this.#chunks.next();
    if (done) return undefined;
    this.#unpackedBytes += value.length;
    if (this.#unpackedBytes > this.#most) throw new Error('the unpacked file is too large');
    return value;
  }
}
