import type { Collection } from './types.ts';

/** What both engines are opened with. */
export interface StoreOptions {
  readonly collections: readonly Collection<never>[];
  /** The release that opens the store. It is refused where it is too old; a program without one, such as a test of the store alone, is not. */
  readonly release?: string;
  /** Told of errors that no caller waits for: a listener that throws, a lost connection. */
  readonly report?: (error: unknown) => void;
}
