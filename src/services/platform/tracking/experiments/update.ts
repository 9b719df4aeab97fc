import type { Tx } from '../../../../kernel/store/index.ts';
import type { PlatformCall } from '../../jar.ts';
import { pathOf } from '../../tree/paths.ts';
import { ensureHome } from '../../workspace/places.ts';
import { type Experiment, experimentKey, experiments } from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { Request } from '../request.ts';
import { RETENTION_MS } from '../retention.ts';
import { PURGE_EXPERIMENT, purgeExperimentId } from '../work.ts';
import { recordExperiment } from './change.ts';
import { readExperimentName, reserveName } from './create.ts';
import { findExperiment } from './find.ts';

/** Changes an experiment that the caller manages. */
const change = (
  call: PlatformCall,
  kind: string,
  edit: (tx: Tx, experiment: Experiment) => Promise<Experiment>,
): Promise<void> => {
  const { store, clock } = call.jar;
  const id = Request.of(call).need('experiment_id');
  return store.transact(async (tx) => {
    const found = await findExperiment(tx, call, { id, level: 'CAN_MANAGE', lock: 'update' });
    const changed = { ...(await edit(tx, found)), updatedAt: clock.now() };
    await tx.put(experiments, experimentKey(changed.workspaceId, id), changed);
    await recordExperiment(tx, call.jar, kind, changed);
  });
};

/** `experiments/update`: renames an experiment. */
export async function renameExperiment(call: PlatformCall): Promise<void> {
  const request = Request.of(call);
  request.need('experiment_id');
  const names = readExperimentName(request, 'new_name');
  const name = pathOf(names);
  await ensureHome(call);
  await change(call, 'update', async (tx, experiment) => {
    if (experiment.stage !== 'active') throw trackingErrors.INVALID_STATE__Rename();
    if (name === experiment.name) return experiment;
    return { ...experiment, name, folderReaders: await reserveName(tx, call, names) };
  });
}

/** `experiments/delete`. Its runs count as deleted from now on; due work removes everything once it can no longer be restored. */
export const deleteExperiment = (call: PlatformCall): Promise<void> =>
  change(call, 'delete', async (tx, experiment) => {
    const { workspaceId, id, stage } = experiment;
    if (stage !== 'active') throw trackingErrors.INVALID_PARAMETER_VALUE__ExperimentDeleted({ id });
    const deletedAt = call.jar.clock.now();
    const payload = { workspaceId, id };
    await tx.schedule(PURGE_EXPERIMENT.at(deletedAt + RETENTION_MS, payload, purgeExperimentId(workspaceId, id)));
    return { ...experiment, stage: 'deleted', deletedAt };
  });

/** `experiments/restore`. */
export const restoreExperiment = (call: PlatformCall): Promise<void> =>
  change(call, 'restore', async (tx, experiment) => {
    const { workspaceId, id, stage, deletedAt: _deletedAt, ...rest } = experiment;
    if (stage !== 'deleted') throw trackingErrors.INVALID_PARAMETER_VALUE__ExperimentActive({ id });
    await tx.cancel(purgeExperimentId(workspaceId, id));
    return { ...rest, workspaceId, id, stage: 'active' };
  });
