import type { Collection } from './types.ts';

/** The parts of a kind of due work that the store needs. */
export interface StoredWork {
  readonly kind: string;
  /** The first release that can read its items; undefined if every release can. */
  readonly oldestRelease: string | undefined;
}

/** Options of both engines. */
export interface StoreOptions {
  readonly collections: readonly Collection<never>[];
  /** The kinds of due work that the store holds; kinds of version 1 may be left out. */
  readonly work?: readonly StoredWork[];
  /** The release that opens the store; refused if it is too old. A program without a release, such as a test of the store, is accepted. */
  readonly release?: string;
  /** Called with errors that no caller waits for: a listener that throws, a lost connection. */
  readonly report?: (error: unknown) => void;
}
