import { collection } from '../../../kernel/store/index.ts';

/** One piece of the bytes of a blob. The key is `pieceKey`. */
export interface BlobPiece {
  /** Base64. */
  readonly bytes: string;
}

export const blobPieces = collection<BlobPiece>('platform.blob_pieces', { wide: true });

export const BLOB_COLLECTIONS = [blobPieces] as const;
