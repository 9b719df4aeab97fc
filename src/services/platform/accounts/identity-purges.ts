import { eq, SLICE } from '../../../kernel/store/index.ts';
import { freeCount } from '../limits/take.ts';
import { endTokens } from '../tokens/tokens.ts';
import { entitlements, memberships, principalKey, principalPlace, principals } from './collections.ts';
import { lockIdentities, putPrincipal } from './principals.ts';
import { purgeOf, type WorkspacePurge } from './purge.ts';

/** Removes the identities that belong to a deleted workspace. */

const purgeTokens: WorkspacePurge =
  (jar, { id }) =>
  () =>
    jar.store.transact((tx) => endTokens(tx, jar, { workspaceId: id }));

/** Removes one group with its members at a time. Only groups that users created count towards the quota. */
const purgeGroups: WorkspacePurge =
  (jar, { id, accountId }) =>
  () =>
    jar.store.transact(async (tx) => {
      await lockIdentities(tx, accountId);
      const filter = eq('place', principalPlace(accountId, 'group', id));
      const group = (await tx.query(principals, { filter, limit: 1 })).items[0]?.value;
      if (!group) return false;
      const own = `${accountId}/${group.id}`;
      const either = { op: 'or', args: [eq('group', own), eq('member', own)] } as const;
      const { items } = await tx.query(memberships, { filter: either, limit: SLICE });
      for (const { key } of items) await tx.delete(memberships, key);
      if (items.length === SLICE) return true;
      await tx.delete(principals, principalKey(accountId, group.id));
      if (!group.system) await freeCount(tx, jar, { row: 'groups', scope: [accountId] });
      return true;
    });

const purgeAssignments: WorkspacePurge =
  (jar, { id, accountId }) =>
  () =>
    jar.store.transact(async (tx) => {
      await lockIdentities(tx, accountId);
      const isHere = (field: string) => ({ op: 'has', field, value: id }) as const;
      const filter = { op: 'or', args: [isHere('workspaces'), isHere('inactiveIn')] } as const;
      const { items } = await tx.query(principals, { prefix: `${accountId}/`, filter, limit: SLICE });
      const without = (list: readonly string[] = []) => list.filter((each) => each !== id);
      for (const { value } of items)
        await putPrincipal(tx, {
          ...value,
          workspaces: without(value.workspaces),
          inactiveIn: without(value.inactiveIn),
        });
      return items.length === SLICE;
    });

export const IDENTITY_PURGES: readonly WorkspacePurge[] = [
  purgeTokens,
  purgeAssignments,
  purgeGroups,
  purgeOf(entitlements),
];
