import { type Collection, deleteSome, type Query, type Tx } from '../../../kernel/store/index.ts';
import type { App } from '../collections.ts';
import type { LifecycleJar } from '../jar.ts';

/** Helpers to delete data kept per app. The data deleted with an app is listed in `on-delete.ts`. */

/** Runs in the transaction that deletes the app: for small data, or data that must disappear at once. Awaits only `tx`. */
export type OnDelete = (tx: Tx, jar: LifecycleJar, app: App) => Promise<void>;

/** Runs afterwards in many small transactions. Removes at most `most` documents and returns how many it removed. */
export type Purge = (tx: Tx, appId: string, most: number) => Promise<number>;

/** For a collection with large documents: uses smaller slices, but reports a full slice while documents may be left. */
export const inSmallSlices =
  (purge: Purge): Purge =>
  async (tx, appId, most) => {
    const removed = await purge(tx, appId, Math.min(most, LARGE_AT_ONCE));
    return removed === LARGE_AT_ONCE ? most : removed;
  };

const LARGE_AT_ONCE = 10;

/** Runs several purges as one, which is done when all of them are. */
export const combinedPurge =
  (purges: readonly Purge[]): Purge =>
  async (tx, appId, most) => {
    let removed = 0;
    for (const purge of purges) {
      if (removed < most) removed += await purge(tx, appId, most - removed);
    }
    return removed;
  };

/** Purges an app's documents in a collection, by key prefix or by filter. */
export const purgeOf =
  <T>(collection: Collection<T>, where: (appId: string) => Pick<Query, 'prefix' | 'filter'>): Purge =>
  (tx, appId, most) =>
    deleteSome(tx, collection, { ...where(appId), limit: most });
