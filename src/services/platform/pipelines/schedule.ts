import { workHandler } from '../../../kernel/work/index.ts';
import { nextTime } from '../engine/cron.ts';
import type { PlatformJar } from '../jar.ts';
import type { Pipeline } from './collections.ts';
import { PipelineChange } from './pipeline-change.ts';
import { scheduleOf } from './spec.ts';
import { startUpdate, unableToRun } from './updates/start.ts';
import { FIRE_PIPELINE, firePipelineId } from './work.ts';

/** Automatic updates of pipelines: by a schedule, or because a pipeline is continuous. */

function firingAfter({ spec }: Pipeline, after: number): number | undefined {
  const schedule = scheduleOf(spec);
  return schedule && nextTime(schedule.expression, schedule.timezone, after);
}

/** Called in the transaction that writes a pipeline: schedules or cancels its next firing. */
export async function planFiring({ tx, pipeline, key, now }: PipelineChange): Promise<void> {
  const at = pipeline.deletedAt === undefined ? firingAfter(pipeline, now) : undefined;
  if (at !== undefined) await tx.schedule(FIRE_PIPELINE.at(at, { key }, firePipelineId(key)));
  else await tx.cancel(firePipelineId(key));
}

/** Called in the transaction that creates a pipeline or makes it continuous: the pipeline runs until it is stopped. */
export async function startContinuous(change: PipelineChange): Promise<void> {
  const { spec, active } = change.pipeline;
  if (spec.continuous === true && active === undefined) await startUpdate(change, { cause: 'API_CALL' });
}

/** The update and the next firing commit together; missed firings are coalesced into one. A firing during an active update is skipped. */
export const firePipeline = workHandler(FIRE_PIPELINE, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    await tx.complete(item);
    const change = await PipelineChange.load(tx, jar, item.payload.key);
    if (!change || firingAfter(change.pipeline, change.now) === undefined) return;
    const unable = await unableToRun(change);
    const { active } = change.pipeline;
    if (active === undefined && unable === undefined) await startUpdate(change, { cause: 'API_CALL' });
    else
      change.note({
        type: 'user_action',
        level: 'WARN',
        message: `The scheduled update was skipped: ${unable ?? `update ${active} has not ended.`}`,
      });
    await planFiring(change);
    await change.save();
  });
});
