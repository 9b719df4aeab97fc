import type { Vault } from '../auth/vault.ts';
import type { JarClock } from '../clock/types.ts';
import type { Collection, Store } from '../store/types.ts';
import type { Worker } from '../work/index.ts';

export interface SnapshotOptions {
  readonly store: Store;
  readonly clock: JarClock;
  readonly vault: Vault;
  readonly worker: Pick<Worker, 'pause' | 'resume'>;
  readonly version: string;
  /** What lives outside of the store and has to be forgotten with what it was counted from. */
  forget(): Promise<void>;
}

export type Snapshots = Record<string, never>;

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
export const snapshotCollections: readonly Collection<any>[] = [];

export function createSnapshots(_options: SnapshotOptions): Snapshots {
  return {};
}
