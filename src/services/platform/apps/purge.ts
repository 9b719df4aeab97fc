import type { WorkspacePurge } from '../accounts/purge.ts';
import { apps } from './collections.ts';
import { removeAppPrincipal } from './principal.ts';

const APPS_AT_ONCE = 20;

/** Removes the apps of a deleted workspace with their service principals, which belong to the account. */
export const purgeApps: WorkspacePurge =
  (jar, { id }) =>
  () =>
    jar.store.transact(async (tx) => {
      const { items } = await tx.query(apps, { prefix: `${id}/`, limit: APPS_AT_ONCE });
      for (const { key, value } of items) {
        await removeAppPrincipal(tx, jar, value);
        await tx.delete(apps, key);
      }
      return items.length === APPS_AT_ONCE;
    });
