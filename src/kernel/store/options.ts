import type { Collection } from './types.ts';

/** What both engines are opened with. */
export interface StoreOptions {
  readonly collections: readonly Collection<never>[];
  /** Told of errors that no caller waits for: a listener that throws, a lost connection. */
  readonly report?: (error: unknown) => void;
}
