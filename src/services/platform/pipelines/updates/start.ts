import { uuid } from '../../../../kernel/ids/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { reasonUnableToAct } from '../../accounts/acting.ts';
import { errors } from '../../errors.ts';
import type { Update } from '../collections.ts';
import { identityOf } from '../find.ts';
import { type PipelineChange, recordPipeline } from '../pipeline-change.ts';
import type { UpdateCause } from '../states.ts';
import { specView } from '../view.ts';
import { retryId } from '../work.ts';
import { beginUpdate, progress } from './begin.ts';
import { takeCapacity, waitForCapacity } from './capacity.ts';

export interface NewUpdate {
  readonly cause: UpdateCause;
  /** By the names of the API. Empty: all tables are updated. */
  readonly request?: JsonMembers;
  readonly attempt?: number;
  /** The task run of a job that waits for it. */
  readonly waitedForBy?: string;
}

export const activeUpdate = (id: string) =>
  errors.RESOURCE_CONFLICT({ reason: `An active update ${id} already exists.` });

/** Creates an update of a pipeline and starts or queues it. Throws if another update is active. Cancels a retry that was due. */
export async function startUpdate(change: PipelineChange, given: NewUpdate): Promise<Update> {
  const { tx, jar, now, key } = change;
  const { pipeline } = change;
  if (pipeline.active !== undefined) throw activeUpdate(pipeline.active);
  if (pipeline.retry) await tx.cancel(retryId(key));
  const id = uuid();
  const number = pipeline.updateCount + 1;
  change.pipeline = { ...pipeline, updateCount: number, active: id, retry: undefined };
  const { workspaceId } = pipeline;
  const update: Update = {
    id,
    workspaceId,
    pipelineId: pipeline.id,
    number,
    cause: given.cause,
    state: 'QUEUED',
    createdAt: now,
    request: given.request ?? {},
    config: specView(pipeline, pipeline.id),
    runAs: identityOf(pipeline),
    attempt: given.attempt ?? 0,
    ...(given.waitedForBy !== undefined && { waitedForBy: given.waitedForBy }),
  };
  change.note({
    type: 'create_update',
    message: `Update ${id.slice(0, 6)} started by ${given.cause}.`,
    update,
    details: { create_update: { cause: given.cause, ...update.request } },
  });
  await recordPipeline(change, 'run', update);
  if (await takeCapacity(tx, jar, workspaceId)) return beginUpdate(change, update);
  change.putUpdate(update);
  progress(change, update);
  await waitForCapacity(tx, jar, workspaceId);
  return update;
}

/** For updates that start without a call: why the identity of the pipeline may not act; undefined if it may. */
export const unableToRun = ({ tx, jar, pipeline }: PipelineChange): Promise<string | undefined> =>
  reasonUnableToAct(tx, jar, {
    accountId: pipeline.accountId,
    workspaceId: pipeline.workspaceId,
    principal: identityOf(pipeline),
  });
