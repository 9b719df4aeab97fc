import { pipelineKey } from '../../pipelines/collections.ts';
import { STOP_UPDATE, stopId } from '../../pipelines/work.ts';
import type { Execution } from '../task-run.ts';
import type { RunChange } from './run-change.ts';

type ByUpdate = Extract<Execution, { readonly by: 'update' }>;

/**
 * Cancels the update that a task waits for. Done by due work: every change of a pipeline locks its document, and a run with many tasks
 * would lock many pipelines in an arbitrary order.
 */
export async function stopPipelineUpdate(
  { tx, run, now }: RunChange,
  { pipelineId, updateId }: ByUpdate,
): Promise<void> {
  const key = pipelineKey(run.workspaceId, pipelineId);
  await tx.schedule(STOP_UPDATE.at(now, { key, update: updateId }, stopId(`${key}/${updateId}`)));
}
