import { DAY_MS } from '../../../../kernel/time/index.ts';
import { runKey } from '../../jobs/collections.ts';
import { taskDue } from '../../jobs/running/work.ts';
import { type Update, updateKey } from '../collections.ts';
import { notifyUpdate } from '../notify.ts';
import { type PipelineChange, recordPipeline } from '../pipeline-change.ts';
import type { EndState } from '../states.ts';
import { FORGET_UPDATE, stepId } from '../work.ts';
import { progress } from './begin.ts';
import { freeCapacity } from './capacity.ts';
import { releaseUnits } from './compute.ts';
import { planRetry } from './retry.ts';

/** Retention of updates after their end, the same as for runs of jobs. */
const KEPT_MS = 60 * DAY_MS;

export interface Failure {
  readonly message: string;
  /** A retry would not help, for example because sources are missing. */
  readonly isFatal: boolean;
}

/** Ends an update: releases its capacity, and continues the job task that waits for it. */
export async function finishUpdate(
  change: PipelineChange,
  update: Update,
  state: EndState,
  failure?: Failure,
): Promise<void> {
  const { tx, jar, now, key } = change;
  const { hasRoom, units, stepEndsAt: _stepEndsAt, ...rest } = update;
  const ended = change.putUpdate({ ...rest, state, endedAt: now, ...(failure && { problem: failure.message }) });
  change.pipeline = { ...change.pipeline, active: undefined };
  noteFlows(change, ended);
  if (failure) noteFailure(change, ended, failure);
  else progress(change, ended);
  if (hasRoom) await freeCapacity(tx, jar, update.workspaceId);
  if (units !== undefined) await releaseUnits(change, units);
  await tx.cancel(stepId(key));
  const isLast = failure === undefined || !(await planRetry(change, ended, failure));
  await notifyUpdate(change, ended, failure, isLast);
  if (update.waitedForBy !== undefined) await tx.wake(taskDue(runKey(update.workspaceId, update.waitedForBy), now));
  const ofUpdate = updateKey(update.workspaceId, update.pipelineId, update.id);
  await tx.schedule(FORGET_UPDATE.at(now + KEPT_MS, { key: ofUpdate }, `${FORGET_UPDATE.kind}:${ofUpdate}`));
  await recordPipeline(change, 'end', ended);
}

const LEVELS = { COMPLETED: 'INFO', FAILED: 'ERROR', EXCLUDED: 'WARN', STOPPED: 'WARN' } as const;

function noteFlows(change: PipelineChange, update: Update): void {
  for (const { name, outcome } of update.program?.flows ?? []) {
    const status = update.state === 'CANCELED' ? 'STOPPED' : outcome;
    change.note({
      type: 'flow_progress',
      level: LEVELS[status],
      message: `Flow '${name}' is ${status}.`,
      update,
      origin: { flow_name: name, dataset_name: name },
      details: { flow_progress: { status } },
    });
  }
}

function noteFailure(change: PipelineChange, update: Update, { message, isFatal }: Failure): void {
  change.note({
    type: 'update_progress',
    level: 'ERROR',
    message: `Update ${update.id.slice(0, 6)} is FAILED.`,
    update,
    details: { update_progress: { state: 'FAILED' } },
    error: {
      fatal: isFatal,
      exceptions: [{ class_name: 'org.apache.spark.SparkException', message, stack: [] }],
    },
  });
}
