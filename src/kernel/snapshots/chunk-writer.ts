import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { CaptureWrite } from '../store/types.ts';
import { chunkKey, chunks } from './collections.ts';

/** The approximate size of a chunk in characters: much smaller chunks cause many commits, much larger ones long commits. */
const CHUNK_CHARACTERS = 512 * 1024;

const compress = promisify(gzip);

/** Writes lines to chunks in the store. While a chunk is compressed and written, the next is collected. */
export class ChunkWriter {
  readonly #id: string;
  readonly #hash = createHash('sha256');
  #collected = '';
  #chunks = 0;
  #bytes = 0;
  #storedBytes = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(id: string) {
    this.#id = id;
  }

  /** `lines` must be complete. */
  async add(lines: string, write: CaptureWrite): Promise<void> {
    this.#collected += lines;
    if (this.#collected.length >= CHUNK_CHARACTERS) await this.#send(write);
  }

  async finish(write: CaptureWrite): Promise<{ chunks: number; bytes: number; storedBytes: number; sha256: string }> {
    if (this.#collected !== '') await this.#send(write);
    await this.#writing;
    const sha256 = this.#hash.digest('hex');
    return { chunks: this.#chunks, bytes: this.#bytes, storedBytes: this.#storedBytes, sha256 };
  }

  /** Resolves when no chunk is being written, whether writing succeeded or not. */
  async settled(): Promise<void> {
    await this.#writing.catch(() => {});
  }

  async #send(write: CaptureWrite): Promise<void> {
    const text = Buffer.from(this.#collected);
    this.#collected = '';
    await this.#writing;
    this.#hash.update(text);
    this.#bytes += text.length;
    const key = chunkKey(this.#id, this.#chunks++);
    this.#writing = this.#write(key, text, write);
    // A failure is reported when the next chunk awaits this one; this prevents an unhandled rejection until then.
    this.#writing.catch(() => {});
  }

  async #write(key: string, text: Buffer, write: CaptureWrite): Promise<void> {
    const packed = await compress(text, { level: constants.Z_BEST_SPEED });
    this.#storedBytes += packed.length;
    const data = packed.toString('base64');
    await write((tx) => tx.put(chunks, key, { data }));
  }
}
