import type { Reader, ReadLock } from '../../../../kernel/store/index.ts';
import { type PlatformCall, workspaceIn } from '../../jar.ts';
import { type Experiment, experimentKey, experiments } from '../collections.ts';
import { checkActive, type Level, requireExperiment } from '../experiments/find.ts';
import { LONGEST_MODEL_ID } from '../names.ts';
import { type LoggedModel, loggedModels, modelKey } from './collections.ts';
import { modelErrors } from './errors.ts';

/** A longer text is not an id; messages truncate it. */
export const modelNotFound = (id: string) =>
  modelErrors.RESOURCE_DOES_NOT_EXIST__Model({ id: id.slice(0, LONGEST_MODEL_ID) });

export interface FoundModel {
  readonly model: LoggedModel;
  readonly experiment: Experiment;
}

/** A model of the caller's workspace, on whose experiment the caller has a level. */
export async function findModel(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  id: string,
  level: Level,
  lock?: ReadLock,
): Promise<FoundModel> {
  const { id: workspaceId } = workspaceIn(call);
  const model =
    id.length > LONGEST_MODEL_ID ? undefined : (await reader.get(loggedModels, modelKey(workspaceId, id), lock))?.value;
  const experiment =
    model && (await reader.get(experiments, experimentKey(workspaceId, model.experimentId), lock && 'share'))?.value;
  if (model?.stage !== 'active' || !experiment || experiment.stage === 'purged') throw modelNotFound(id);
  await requireExperiment(reader, call, experiment, level);
  return { model, experiment };
}

/** Locks a model for a transaction that writes to it. */
export async function lockModel(reader: Reader, call: PlatformCall, id: string): Promise<FoundModel> {
  const found = await findModel(reader, call, id, 'CAN_EDIT', 'update');
  checkActive(found.experiment);
  return found;
}
