import type { Reader, ReadLock } from '../../../../kernel/store/index.ts';
import { type PlatformCall, workspaceIn } from '../../jar.ts';
import { type Experiment, experimentKey, experiments, runKey, type TrackedRun, trackedRuns } from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { type Level, requireExperiment } from '../experiments/find.ts';
import type { Request } from '../request.ts';

const LONGEST_ID = 256;

/** Older clients send `run_uuid`. */
export function runIdIn(request: Request): string {
  const id = request.text('run_id') || request.text('run_uuid');
  if (!id) throw request.missing('run_id');
  return id;
}

export interface FoundRun {
  readonly run: TrackedRun;
  readonly experiment: Experiment;
}

/** A run of the caller's workspace, on whose experiment the caller has a level. */
export async function findRun(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  id: string,
  level: Level,
  lock?: ReadLock,
): Promise<FoundRun> {
  const { id: workspaceId } = workspaceIn(call);
  const run =
    id.length > LONGEST_ID ? undefined : (await reader.get(trackedRuns, runKey(workspaceId, id), lock))?.value;
  // Shared lock: a run cannot be written while its experiment is being deleted or changed.
  const experiment =
    run && (await reader.get(experiments, experimentKey(workspaceId, run.experimentId), lock && 'share'))?.value;
  if (!run || run.stage === 'purged' || !experiment || experiment.stage === 'purged')
    throw trackingErrors.RESOURCE_DOES_NOT_EXIST__Run({ id: id.slice(0, LONGEST_ID) });
  await requireExperiment(reader, call, experiment, level);
  return { run, experiment };
}

/** All runs of a deleted experiment are deleted. */
export const stageOf = ({ run, experiment }: FoundRun) => (experiment.stage === 'deleted' ? 'deleted' : run.stage);

/** Locks an active run for a transaction that writes to it. */
export async function lockActiveRun(reader: Reader, call: PlatformCall, id: string): Promise<FoundRun> {
  const found = await findRun(reader, call, id, 'CAN_EDIT', 'update');
  if (stageOf(found) !== 'active') throw trackingErrors.INVALID_PARAMETER_VALUE__RunDeleted({ id: found.run.id });
  return found;
}
