import { pipelineKey } from '../../pipelines/collections.ts';
import { STOP_UPDATE, stopId } from '../../pipelines/work.ts';
import type { Execution } from '../task-run.ts';
import type { RunChange } from './run-change.ts';

type ByUpdate = Extract<Execution, { readonly by: 'update' }>;

/**
 * Cancels the update that a task waits for. By due work: whoever changes a pipeline holds its document, and a run with many tasks would hold many of
 * them, in an order of its own.
 */
export async function stopPipelineUpdate(
  { tx, run, now }: RunChange,
  { pipelineId, updateId }: ByUpdate,
): Promise<void> {
  const key = pipelineKey(run.workspaceId, pipelineId);
  await tx.schedule(STOP_UPDATE.at(now, { key, update: updateId }, stopId(`${key}/${updateId}`)));
}
