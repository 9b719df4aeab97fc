import type { Reader, ReadLock } from '../../../../kernel/store/index.ts';
import { type PlatformCall, workspaceIn } from '../../jar.ts';
import { type Experiment, experimentKey, experiments } from '../collections.ts';
import { checkActive, type Level, requireExperiment } from '../experiments/find.ts';
import { type Trace, traceKey, traces } from './collections.ts';
import { traceErrors } from './errors.ts';

export const LONGEST_TRACE_ID = 250;

export interface FoundTrace {
  readonly trace: Trace;
  readonly experiment: Experiment;
}

/** A trace of the caller's workspace, on whose experiment the caller has a level. */
export async function findTrace(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  id: string,
  level: Level,
  lock?: ReadLock,
): Promise<FoundTrace> {
  const { id: workspaceId } = workspaceIn(call);
  const trace =
    id.length > LONGEST_TRACE_ID ? undefined : (await reader.get(traces, traceKey(workspaceId, id), lock))?.value;
  const experiment =
    trace && (await reader.get(experiments, experimentKey(workspaceId, trace.experimentId), lock && 'share'))?.value;
  if (!trace || !experiment || experiment.stage === 'purged')
    throw traceErrors.RESOURCE_DOES_NOT_EXIST__Trace({ id: id.slice(0, LONGEST_TRACE_ID) });
  await requireExperiment(reader, call, experiment, level);
  return { trace, experiment };
}

/** Locks a trace for a transaction that writes to it. */
export async function lockTrace(reader: Reader, call: PlatformCall, id: string): Promise<Trace> {
  const { trace, experiment } = await findTrace(reader, call, id, 'CAN_EDIT', 'update');
  checkActive(experiment);
  return trace;
}
