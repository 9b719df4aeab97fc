import type { WorkspacePurge } from '../accounts/purge.ts';
import { apps } from './collections.ts';
import { removeAppPrincipal } from './principal.ts';

const APPS_AT_ONCE = 20;

/** Apps of a deleted workspace go with their service principals, which are the account's. */
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
