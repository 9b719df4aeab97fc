import { type Collection, deletionSteps } from '../../../kernel/store/index.ts';
import type { PlatformJar } from '../jar.ts';
import type { DeletedWorkspace } from './work.ts';

/** Removes a slice of the data of a deleted workspace in one transaction. Returns true while there may be more. */
type PurgeStep = () => Promise<boolean>;

export type WorkspacePurge = (jar: PlatformJar, workspace: DeletedWorkspace) => PurgeStep;

/** For collections whose keys start with the id of the workspace and `/`. */
export const purgeOf =
  <T>(collection: Collection<T>): WorkspacePurge =>
  ({ store }, { id }) =>
    deletionSteps(store, collection, { prefix: `${id}/` });

/** For collections with one document for each workspace. */
export const purgeDocument =
  <T>(collection: Collection<T>): WorkspacePurge =>
  ({ store }, { id }) =>
  () =>
    store.transact(async (tx) => {
      await tx.delete(collection, id);
      return false;
    });
