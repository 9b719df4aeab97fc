import { type Collection, deleteSome, type Query, type Tx } from '../../../kernel/store/index.ts';
import type { App } from '../collections.ts';
import type { LifecycleJar } from '../jar.ts';

/** The means to delete what is kept by app. What is deleted with an app is listed in `on-delete.ts`. */

/** Part of the transaction that deletes the app: for what is little, or must be gone at once. Awaits nothing but `tx`. */
export type OnDelete = (tx: Tx, jar: LifecycleJar, app: App) => Promise<void>;

/** Afterwards, in many small transactions: removes `most` documents at most, and says how many there were. */
export type Purge = (tx: Tx, appId: string, most: number) => Promise<number>;

/** Of a collection whose documents may be large. Says that it was all it was asked for while there may be more. */
export const fewAtOnce =
  (purge: Purge): Purge =>
  async (tx, appId, most) => {
    const removed = await purge(tx, appId, Math.min(most, LARGE_AT_ONCE));
    return removed === LARGE_AT_ONCE ? most : removed;
  };

const LARGE_AT_ONCE = 10;

/** Several as one: done when none of them has anything left. */
export const oneAfterAnother =
  (purges: readonly Purge[]): Purge =>
  async (tx, appId, most) => {
    let removed = 0;
    for (const purge of purges) {
      if (removed < most) removed += await purge(tx, appId, most - removed);
    }
    return removed;
  };

/** The documents of a collection that are an app's, by a prefix of their keys or by a filter. */
export const purgeOf =
  <T>(collection: Collection<T>, where: (appId: string) => Pick<Query, 'prefix' | 'filter'>): Purge =>
  (tx, appId, most) =>
    deleteSome(tx, collection, { ...where(appId), limit: most });
