import { ApiError } from '../../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { workspaces } from '../../accounts/collections.ts';
import { allows } from '../../permissions/guard.ts';
import { pipelineKey, updateKey, updates } from '../../pipelines/collections.ts';
import { guardedPipeline } from '../../pipelines/find.ts';
import { PipelineChange } from '../../pipelines/pipeline-change.ts';
import { isEnded } from '../../pipelines/states.ts';
import { startUpdate } from '../../pipelines/updates/start.ts';
import type { Ending } from '../run.ts';
import type { Execution, TaskRun } from '../task-run.ts';
import { noteError } from './finish-task.ts';
import { leave } from './leave.ts';
import { lookupFor } from './lookup.ts';
import { resolve } from './references.ts';
import { finishOrRetry } from './retry.ts';
import type { RunChange } from './run-change.ts';

/** Members of a task that are passed on to its update. */
const REQUEST = ['full_refresh', 'full_refresh_selection', 'refresh_selection', 'parameters'];

const failed = (message: string, code: NonNullable<Ending['code']>): Ending => ({
  outcome: 'INTERNAL_ERROR',
  message,
  code,
});

/** A task that runs a pipeline ends with the update that it starts. Returns the task if the update cannot start. */
export async function startPipeline(change: RunChange, task: TaskRun): Promise<TaskRun | undefined> {
  const lookup = await lookupFor(change, task);
  const settings = resolve(change.settingsFor(task).pipeline_task, lookup) as JsonMembers;
  const begun = await begin(change, task, settings);
  if (typeof begun === 'string') {
    change.put({
      ...task,
      resolved: settings,
      execution: { by: 'update', pipelineId: idOf(settings), updateId: begun },
    });
    return undefined;
  }
  const refused: TaskRun = { ...task, resolved: settings };
  await noteError(change, refused, begun.message);
  await leave(change, refused);
  return finishOrRetry(change, refused, begun);
}

const idOf = (settings: JsonMembers): string => String(settings.pipeline_id);

/** The id of the update, or the reason why it cannot start. */
async function begin({ tx, jar, run }: RunChange, task: TaskRun, settings: JsonMembers): Promise<string | Ending> {
  const id = idOf(settings);
  const change = await PipelineChange.load(tx, jar, pipelineKey(run.workspaceId, id));
  if (!change || change.pipeline.deletedAt !== undefined)
    return failed(`The specified pipeline ${id} was not found.`, 'RESOURCE_NOT_FOUND');
  const standing = await jar.callerIdentities.within(tx, run.accountId, run.runAs);
  const workspace = (await tx.get(workspaces, run.workspaceId, 'none'))?.value;
  if (
    !standing ||
    !workspace ||
    !allows({ facts: { standing, workspace } }, guardedPipeline(change.pipeline), 'CAN_RUN')
  )
    return failed(`The identity of the run may not run the pipeline ${id}.`, 'UNAUTHORIZED_ERROR');
  try {
    const request = Object.fromEntries(REQUEST.flatMap((name) => (name in settings ? [[name, settings[name]]] : [])));
    const update = await startUpdate(change, { cause: 'JOB_TASK', request, waitedForBy: task.id });
    await change.save();
    return update.id;
  } catch (error) {
    // Another update is active. Tasks start in due work, which has no caller to refuse, so the task fails.
    if (!(error instanceof ApiError)) throw error;
    return { outcome: 'FAILED', message: error.message };
  }
}

type ByUpdate = Extract<Execution, { readonly by: 'update' }>;

const OUTCOMES = { COMPLETED: 'SUCCESS', FAILED: 'FAILED', CANCELED: 'CANCELED' } as const;

/**
 * The ending of a task by its update; undefined while the update is active. An update that was removed with its pipeline counts as
 * cancelled.
 */
export async function endingOfUpdate(
  change: RunChange,
  task: TaskRun,
  { pipelineId, updateId }: ByUpdate,
): Promise<Ending | undefined> {
  const key = updateKey(task.workspaceId, pipelineId, updateId);
  const update = (await change.tx.get(updates, key, 'none'))?.value;
  if (!update) return { outcome: 'CANCELED', message: `Update ${updateId} does not exist any more.` };
  if (!isEnded(update.state)) return undefined;
  const usual = update.state === 'COMPLETED' ? '' : `Update ${updateId} is ${update.state}.`;
  if (update.problem !== undefined) await noteError(change, task, update.problem);
  return { outcome: OUTCOMES[update.state], message: update.problem ?? usual };
}
