/** A file of a container as it was at one moment. */
export interface StoredFile {
  /** The path in the container: parts with `/` between them, none at the start. */
  readonly name: string;
  readonly size: number;
  /** Changes whenever the content may have changed; while it is the same, so is the content. */
  readonly version: string;
}

export interface FilePage {
  readonly files: readonly StoredFile[];
  /** Entries that are not files, or that no request could name: symbolic links, pipes, devices, unusable names. */
  readonly skipped: number;
  /** The cursor of the next page; absent on the last one. It stays valid while files come and go. */
  readonly next?: string;
}

/** One storage account. All methods reject with a `StorageProblem`. */
export interface FileStore {
  /**
   * The files below a folder (`''`: of the whole container), page by page, from the beginning or from a cursor. A folder that does not exist
   * has no files; a container that does not exist is a `ContainerNotFound`.
   */
  list(container: string, folder: string, cursor?: string): AsyncIterable<FilePage>;
  /** Undefined where there is no such file. */
  stat(container: string, name: string): Promise<StoredFile | undefined>;
  /** Opens exactly this version: once the file has another, this or `read` rejects with `FileChanged`. */
  open(container: string, file: StoredFile): Promise<FileReader>;
  /** Writes a whole file that fits into one piece. The name shows the old content or the new one, never a part. */
  put(container: string, name: string, bytes: Uint8Array, draftId: string): Promise<void>;
  /**
   * A file that is written piece by piece. Nothing is visible under the name before `commit`. A draft of the same id can be opened again
   * after a crash. Container and folders are created by the commit.
   */
  draft(container: string, name: string, draftId: string): Promise<FileDraft>;
  /** Nothing happens where there is no such file. */
  remove(container: string, name: string): Promise<void>;
  /** Removes the drafts whose id begins with this. */
  forgetDrafts(prefix: string): Promise<void>;
}

export interface FileReader {
  /** Fills `into` with the bytes at `offset`, all of which the file has. */
  read(offset: number, into: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export interface FileDraft {
  /** How many bytes from the start on are there. */
  safe(): number;
  /** Pieces have `PIECE_BYTES`, except for the last, and are written in order. */
  write(offset: number, bytes: Uint8Array): Promise<void>;
  /** Resolves when what was written survives a crash of the machine. */
  sync(): Promise<void>;
  /** Replaces the file of that name by the first `size` bytes of the draft. */
  commit(size: number): Promise<void>;
  /** Keeps the draft for whoever opens it again. */
  close(): Promise<void>;
  /** Removes the draft. */
  abort(): Promise<void>;
}

/** Of one write to a draft, and of one range that is read. A file of up to this size is read and written at once. */
export const PIECE_BYTES = 4 * 1024 * 1024;
