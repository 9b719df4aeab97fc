import type { Collection } from './types.ts';

/** A kind of due work, as far as the store has to know it. */
export interface StoredWork {
  readonly kind: string;
  /** The first release that can read its items; undefined where every release can. */
  readonly oldestRelease: string | undefined;
}

/** What both engines are opened with. */
export interface StoreOptions {
  readonly collections: readonly Collection<never>[];
  /** The kinds of due work that it is to hold; those of version 1 may be left out. */
  readonly work?: readonly StoredWork[];
  /** The release that opens the store. It is refused where it is too old; a program without one, such as a test of the store alone, is not. */
  readonly release?: string;
  /** Told of errors that no caller waits for: a listener that throws, a lost connection. */
  readonly report?: (error: unknown) => void;
}
