import type { PermissionedKind } from '../permissions/guarded-kind.ts';
import { experimentKey, experiments } from './collections.ts';
import { readersAbove } from './experiments/create.ts';
import { guardedExperiment } from './experiments/find.ts';

/** Gives the permissions API access to experiments. Deleted experiments keep their permissions but do not show them. */
export const GUARDED_EXPERIMENTS: PermissionedKind = {
  async find(reader, workspaceId, id) {
    const found = (await reader.get(experiments, experimentKey(workspaceId, id)))?.value;
    return found?.stage === 'active' ? guardedExperiment(reader, found) : undefined;
  },
  async save(tx, workspaceId, id, acl) {
    const key = experimentKey(workspaceId, id);
    const found = (await tx.get(experiments, key))?.value;
    if (!found) return;
    const folderReaders = readersAbove({ ...(await guardedExperiment(tx, found)), acl: [] });
    await tx.put(experiments, key, { ...found, acl, folderReaders });
  },
};
