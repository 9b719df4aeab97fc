import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { CaptureWrite } from '../store/types.ts';
import { chunkKey, chunks } from './collections.ts';

/** Content goes out in pieces of about this many characters: much less makes many commits, much more long ones. */
const CHUNK_CHARACTERS = 512 * 1024;

const compress = promisify(gzip);

/** Turns lines into chunks of the store. While one is compressed and written, the next is collected. */
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

  /** `lines` are whole ones. */
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

  /** Resolves when nothing is being written any more, whatever became of it. */
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
    // A failure is found when the next chunk waits for this one; until then nobody does.
    this.#writing.catch(() => {});
  }

  async #write(key: string, text: Buffer, write: CaptureWrite): Promise<void> {
    const packed = await compress(text, { level: constants.Z_BEST_SPEED });
    this.#storedBytes += packed.length;
    const data = packed.toString('base64');
    await write((tx) => tx.put(chunks, key, { data }));
  }
}
