import { ConfigError } from '../kernel/config/config.ts';
import { ApiError } from '../kernel/http/errors.ts';
import type { SeedFile, Snapshots } from '../kernel/snapshots/index.ts';
import type { Store } from '../kernel/store/types.ts';
import { isSeeded, markSeeded } from './self.ts';

class SeededMeanwhile extends Error {}

/** Starts an empty jar from a snapshot file. If several nodes start at once, only one of them does it. */
export async function seedFromSnapshot(store: Store, snapshots: Snapshots, file: SeedFile): Promise<void> {
  if (await isSeeded(store)) return;
  try {
    await snapshots.restoreSeed(file, async (tx) => {
      await tx.lock('kernel.self');
      if (await isSeeded(tx)) throw new SeededMeanwhile();
      await markSeeded(tx);
    });
  } catch (error) {
    // Another node has seeded first, or has replaced what this one had imported.
    if (error instanceof SeededMeanwhile || (await isSeeded(store))) return;
    if (!(error instanceof ApiError)) throw error;
    throw new ConfigError(`snapshot file ${file.path}: ${error.message}`, { cause: error });
  }
}
