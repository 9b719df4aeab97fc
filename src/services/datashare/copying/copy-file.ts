import {
  type FileDraft,
  type FileReader,
  type FileStore,
  isProblem,
  PIECE_BYTES,
  type StoredFile,
} from '../storage/index.ts';
import type { OpenDraft } from './collections.ts';
import { HASH_START, hashOn } from './hash.ts';
import type { Piece } from './pieces.ts';

/** Bytes of a large file between two checkpoints from which a copy can resume after a crash. */
const CHECKPOINT_BYTES = 8 * PIECE_BYTES;

export interface FileCopy {
  readonly source: FileStore;
  readonly target: FileStore;
  readonly file: StoredFile;
  readonly from: string;
  readonly to: { readonly container: string; readonly name: string };
  readonly draftId: string;
  /** Hash of the content at the target; nothing is written if the file has the same hash. */
  readonly known?: string;
  readonly pieces: readonly Piece[];
}

export interface LargeFileCopy extends FileCopy {
  /** The checkpoint of an earlier attempt. */
  readonly begun?: OpenDraft;
  keep(draft: OpenDraft): Promise<void>;
  proceed(): Promise<boolean>;
}

export interface Copied {
  readonly hash: string;
  readonly isWritten: boolean;
}

export const isLarge = ({ size }: StoredFile): boolean => size > PIECE_BYTES;

/** Copies a file that fits into one piece. The hash is compared before writing. */
export async function copySmall({ source, target, file, from, to, draftId, known, pieces }: FileCopy): Promise<Copied> {
  const bytes = (pieces[0] as Piece).subarray(0, file.size);
  const reader = await source.open(from, file);
  try {
    await reader.read(0, bytes);
  } finally {
    await reader.close();
  }
  const hash = await hashOn(HASH_START, bytes);
  if (hash === known) return { hash, isWritten: false };
  await target.put(to.container, to.name, bytes, draftId);
  return { hash, isWritten: true };
}

/**
 * Copies a large file piece by piece in one pass. If the draft equals the content at the target, it is discarded. Returns undefined if the
 * run was stopped.
 */
export async function copyLarge(copy: LargeFileCopy): Promise<Copied | undefined> {
  const { source, target, file, from, to, draftId, known } = copy;
  const reader = await source.open(from, file);
  try {
    const draft = await target.draft(to.container, to.name, draftId);
    let hash: string | undefined;
    try {
      hash = await transfer(copy, reader, draft);
    } catch (error) {
      // A draft of an outdated version cannot be used again.
      await (isProblem(error, 'FileChanged') ? draft.abort() : draft.close());
      throw error;
    }
    if (hash === undefined) {
      await draft.close();
      return undefined;
    }
    const isWritten = hash !== known;
    await (isWritten ? draft.commit(file.size) : draft.abort());
    return { hash, isWritten };
  } finally {
    await reader.close();
  }
}

/**
 * Reads one piece ahead while the previous one is hashed and written, and syncs written pieces while the next ones follow. Returns the hash
 * of the whole file, or undefined if the run was stopped.
 */
async function transfer(copy: LargeFileCopy, reader: FileReader, draft: FileDraft): Promise<string | undefined> {
  const { file, draftId: id } = copy;
  let { offset, hash } = placeToBegin(copy, draft);
  let [current, ahead] = copy.pieces as [Piece, Piece];
  const read = (at: number, piece: Piece): Promise<Piece> => {
    const bytes = piece.subarray(0, Math.min(PIECE_BYTES, file.size - at));
    const filled = reader.read(at, bytes).then(() => bytes);
    // The read may fail while the previous piece is still being written; the loop gets the error when it awaits the read.
    filled.catch(() => {});
    return filled;
  };
  const keep = async (reached: Pick<OpenDraft, 'offset' | 'hash'>): Promise<void> => {
    await draft.sync();
    await copy.keep({ id, source: file.name, version: file.version, ...reached });
  };
  let keeping: Promise<void> = Promise.resolve();
  let reading = read(offset, current);
  try {
    while (offset < file.size) {
      if (!(await copy.proceed())) {
        await keeping;
        await keep({ offset, hash });
        return undefined;
      }
      const bytes = await reading;
      const end = offset + bytes.length;
      if (end < file.size) reading = read(end, ahead);
      [hash] = await Promise.all([hashOn(hash, bytes), draft.write(offset, bytes)]);
      [current, ahead] = [ahead, current];
      offset = end;
      if (offset % CHECKPOINT_BYTES !== 0) continue;
      // One sync at a time, so that a slow disk slows down the copy.
      await keeping;
      keeping = keep({ offset, hash });
      keeping.catch(() => {});
    }
    await keeping;
    return hash;
  } finally {
    // Wait, so that the buffer is not filled after it is reused, and the draft not synced after it is closed.
    await Promise.allSettled([reading, keeping]);
  }
}

/** The hash is valid only for the stored offset, so a shorter draft starts over. */
function placeToBegin({ begun, file }: LargeFileCopy, draft: FileDraft): { offset: number; hash: string } {
  const fits = begun && begun.version === file.version && begun.offset <= file.size && draft.safe() >= begun.offset;
  return fits ? { offset: begun.offset, hash: begun.hash } : { offset: 0, hash: HASH_START };
}
