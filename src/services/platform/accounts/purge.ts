import { type Collection, deletingSlices } from '../../../kernel/store/index.ts';
import type { PlatformJar } from '../jar.ts';
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
export const purgeDocument =
  <T>(collection: Collection<T>): WorkspacePurge =>
  ({ store }, { id }) =>
  () =>
    store.transact(async (tx) => {
      await tx.delete(collection, id);
      return false;
    });
