import { createInflateRaw, type InflateRaw } from 'node:zlib';

/** Bytes of a file by their place. */
export interface Source {
  /** Fewer where the file ends before. Whoever asks for a place before an earlier one may get nothing. */
  read(offset: number, length: number): Promise<Buffer>;
}

export const sourceOf = (file: Buffer): Source => ({
  read: async (offset, length) => file.subarray(offset, offset + length),
});

const CHUNK_BYTES = 64 * 1024;

/**
 * A packed file that is unpacked only as far as somebody reads, and of which only what was read last is in memory: a few bytes of an archive
 * can stand for hundreds of megabytes.
 */
export class PackedFile implements Source {
  readonly #inflate: InflateRaw;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #most: number;
  #held: Buffer = Buffer.alloc(0);
  /** The place of what is held. */
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
    if (this.#unpackedBytes > this.#most) throw new Error('the file unpacks to more than it may');
    return value;
  }
}
