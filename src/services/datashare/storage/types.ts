/** A snapshot of a file in a container. */
export interface StoredFile {
  /** Path in the container: parts separated by `/`, without a leading slash. */
  readonly name: string;
  readonly size: number;
  /** Changes whenever the content may have changed; the same version means the same content. */
  readonly version: string;
}

export interface FilePage {
  readonly files: readonly StoredFile[];
  /** Entries that are not files or cannot be addressed: symbolic links, pipes, devices, unusable names. */
  readonly skipped: number;
  /** Cursor of the next page; undefined on the last page. Stays valid while files are added and removed. */
  readonly next?: string;
}

/** One storage account. All methods reject with a `StorageProblem`. */
export interface FileStore {
  /**
   * The files below a folder (`''` for the whole container), page by page, from the beginning or from a cursor. A missing folder has no
   * files; a missing container is a `ContainerNotFound`.
   */
  list(container: string, folder: string, cursor?: string): AsyncIterable<FilePage>;
  /** Resolves to undefined if the file does not exist. */
  stat(container: string, name: string): Promise<StoredFile | undefined>;
  /** Opens exactly this version: if the file changes, this or `read` rejects with `FileChanged`. */
  open(container: string, file: StoredFile): Promise<FileReader>;
  /** Writes a whole file that fits into one piece. Readers see the old content or the new content, never a mixture. */
  put(container: string, name: string, bytes: Uint8Array, draftId: string): Promise<void>;
  /**
   * Opens a draft of a file that is written piece by piece. Nothing is visible under the name before `commit`. A draft with the same id can
   * be opened again after a crash. The commit creates container and folders.
   */
  draft(container: string, name: string, draftId: string): Promise<FileDraft>;
  /** Does nothing if the file does not exist. */
  remove(container: string, name: string): Promise<void>;
  /** Removes the drafts whose ids begin with `prefix`. */
  forgetDrafts(prefix: string): Promise<void>;
}

export interface FileReader {
  /** Fills `into` with the bytes at `offset`; the file must have them all. */
  read(offset: number, into: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export interface FileDraft {
  /** The number of bytes from the start that the draft already has. */
  safe(): number;
  /** Pieces have `PIECE_BYTES` except for the last one, and are written in order. */
  write(offset: number, bytes: Uint8Array): Promise<void>;
  /** Resolves when the written bytes survive a crash of the machine. */
  sync(): Promise<void>;
  /** Replaces the file with the first `size` bytes of the draft. */
  commit(size: number): Promise<void>;
  /** Closes the draft but keeps it, so that it can be opened again. */
  close(): Promise<void>;
  /** Removes the draft. */
  abort(): Promise<void>;
}

/** Size of one write to a draft and of one range that is read. A file of up to this size is copied in one piece. */
export const PIECE_BYTES = 4 * 1024 * 1024;
