import { allOf, type Collection, deletingSlices, eq, SLICE } from '../../../kernel/store/index.ts';
import { clusterEvents, clusterLibraries, clusters, commands, contexts } from '../compute/collections.ts';
import { objects } from '../engine/objects.ts';
import type { PlatformJar } from '../jar.ts';
import { freeCount } from '../limits/take.ts';
import { ipAccessLists, ipGuards, workspaceConfs } from '../network/collections.ts';
import { authorizations } from '../permissions/collections.ts';
import { secretScopes, secrets } from '../secrets/collections.ts';
import { endTokens } from '../tokens/tokens.ts';
import { entitlements, memberships, principalKey, principalPlace, principals } from './collections.ts';
import { lockIdentities, putPrincipal } from './principals.ts';
import type { DeletedWorkspace } from './work.ts';

/** Removes a slice of what a deleted workspace has left, in a transaction; true while there may be more. */
type PurgeStep = () => Promise<boolean>;

export type WorkspacePurge = (jar: PlatformJar, workspace: DeletedWorkspace) => PurgeStep;

/** For collections whose keys begin with the id of the workspace and `/`. */
export const purgeOf =
  <T>(collection: Collection<T>): WorkspacePurge =>
  ({ store }, { id }) =>
    deletingSlices(store, collection, { prefix: `${id}/` });

/** For collections that have one document for a workspace. */
const purgeDocument =
  <T>(collection: Collection<T>): WorkspacePurge =>
  ({ store }, { id }) =>
  () =>
    store.transact(async (tx) => {
      await tx.delete(collection, id);
      return false;
    });

const purgeTokens: WorkspacePurge =
  (jar, { id }) =>
  () =>
    jar.store.transact((tx) => endTokens(tx, jar, { workspaceId: id }));

/** One group with its members at a time. The limit counts the groups that people made. */
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
      const { items } = await tx.query(principals, { prefix: `${accountId}/`, filter: allOf(filter), limit: SLICE });
      const without = (list: readonly string[] = []) => list.filter((each) => each !== id);
      for (const { value } of items)
        await putPrincipal(tx, {
          ...value,
          workspaces: without(value.workspaces),
          inactiveIn: without(value.inactiveIn),
        });
      return items.length === SLICE;
    });

/** What goes with a workspace, in this order. A part of the platform that keeps documents for workspaces adds its lines here. */
export const WORKSPACE_PURGES: readonly WorkspacePurge[] = [
  purgeTokens,
  purgeAssignments,
  purgeGroups,
  purgeOf(entitlements),
  purgeOf(authorizations),
  purgeOf(objects),
  purgeOf(clusters),
  purgeOf(clusterEvents),
  purgeOf(clusterLibraries),
  purgeOf(contexts),
  purgeOf(commands),
  purgeOf(secretScopes),
  purgeOf(secrets),
  purgeOf(ipAccessLists),
  purgeDocument(ipGuards),
  purgeDocument(workspaceConfs),
];
