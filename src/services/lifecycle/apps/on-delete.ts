import type { Jar } from '../../../kernel/jar-context.ts';
import { deleteSome } from '../../../kernel/store/delete-some.ts';
import type { Collection, Query, Tx } from '../../../kernel/store/types.ts';
import type { App } from '../collections.ts';

/**
 * What an app takes with it. Whoever keeps something by app adds a line here, to one of two lists; modules are loaded when an app is
 * deleted.
 */

/** Part of the transaction that deletes the app: for what is little, or must be gone at once. Awaits nothing but `tx`. */
export type OnDelete = (tx: Tx, jar: Jar, app: App) => Promise<void>;

/** Afterwards, in many small transactions: removes `most` documents at most, and says how many there were. */
export type Purge = (tx: Tx, appId: string, most: number) => Promise<number>;

export const ON_DELETE: readonly (() => Promise<OnDelete>)[] = [
  async () => (await import('./remove.ts')).dropMembers,
  async () => (await import('./remove.ts')).dropTokens,
  async () => (await import('../invitations/drop.ts')).dropInvitationsOfApp,
  async () => (await import('./pictures.ts')).dropPictureOfApp,
  async () => (await import('../distribution/drop-groups.ts')).dropGroupsOfApp,
  async () => (await import('../analytics/on-delete.ts')).dropEventsOfApp,
  async () => (await import('../exports/drop.ts')).dropExportsOfApp,
];

export const PURGES: readonly (() => Promise<Purge>)[] = [
  async () => (await import('../analytics/on-delete.ts')).purgeAnalytics,
  async () => (await import('../diagnostics/on-delete.ts')).purgeDiagnostics,
  async () => (await import('../exports/drop.ts')).purgeJournal,
];

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
