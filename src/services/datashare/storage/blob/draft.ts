import type { BlobClient } from '../../../../kernel/outbound/storage/index.ts';
import { storageProblem } from '../problem.ts';
import { type FileDraft, PIECE_BYTES } from '../types.ts';

/** The maximum number of blocks per blob. */
const MOST_BLOCKS = 50_000;
const NUMBER_DIGITS = 5;

export interface BlobDraftOptions {
  readonly client: BlobClient;
  readonly container: string;
  readonly name: string;
  readonly id: string;
  /** Sends a request; handles a missing container. */
  readonly send: <R>(request: () => Promise<R>) => Promise<R>;
}

/**
 * A draft consists of uncommitted blocks of a blob. Block ids are derived from the draft id, so that they are found again after a crash.
 */
export class BlobDraft implements FileDraft {
  readonly #options: BlobDraftOptions;
  readonly #safe: number;

  private constructor(options: BlobDraftOptions, safe: number) {
    this.#options = options;
    this.#safe = safe;
  }

  static async open(options: BlobDraftOptions): Promise<BlobDraft> {
    const { client, container, name, id, send } = options;
    const blocks = await send(() => client.uncommittedBlocks(container, name));
    const sizes = new Map(blocks.map((block) => [block.id, block.size]));
    let safe = 0;
    for (let number = 0; ; number++) {
      const size = sizes.get(blockId(id, number));
      safe += size ?? 0;
      if (size !== PIECE_BYTES) return new BlobDraft(options, safe);
    }
  }

  safe(): number {
    return this.#safe;
  }

  async write(offset: number, bytes: Uint8Array): Promise<void> {
    const { client, container, name, id, send } = this.#options;
    const number = offset / PIECE_BYTES;
    if (!Number.isInteger(number)) throw new TypeError(`${offset} is not the offset of a piece`);
    if (number >= MOST_BLOCKS) throw storageProblem('FileTooLarge', { name, most: MOST_BLOCKS * PIECE_BYTES });
    await send(() => client.putBlock(container, name, blockId(id, number), bytes));
  }

  /** Acknowledged blocks are already durable. */
  async sync(): Promise<void> {}

  async commit(size: number): Promise<void> {
    const { client, container, name, id, send } = this.#options;
    const blocks = Array.from({ length: Math.ceil(size / PIECE_BYTES) }, (_, number) => blockId(id, number));
    await send(() => client.commitBlocks(container, name, blocks));
  }

  async close(): Promise<void> {}

  /** Uncommitted blocks cannot be deleted; the service discards them when the blob is written, or after a week. */
  async abort(): Promise<void> {}
}

const blockId = (draft: string, number: number): string => `${draft}.${String(number).padStart(NUMBER_DIGITS, '0')}`;
