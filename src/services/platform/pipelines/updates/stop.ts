import { workHandler } from '../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { PipelineChange, recordPipeline } from '../pipeline-change.ts';
import { retryId, STOP_UPDATE } from '../work.ts';
import { enter } from './begin.ts';
import { finishUpdate } from './finish.ts';

/** Cancels the active update of a pipeline, or the retry that is due. Does nothing if there is neither. */
export async function stopPipeline(change: PipelineChange): Promise<void> {
  const { tx, key, pipeline } = change;
  if (pipeline.retry) {
    await tx.cancel(retryId(key));
    change.pipeline = { ...pipeline, retry: undefined };
    change.note({ type: 'user_action', message: 'The retry of the failed update was cancelled.' });
  }
  const update = await change.active();
  if (!update || update.state === 'STOPPING') return;
  // An update that has not started needs no time to stop.
  if (update.state === 'QUEUED') return finishUpdate(change, update, 'CANCELED');
  await recordPipeline(change, 'stop', await enter(change, update, 'STOPPING'));
}

/** Does nothing if the update has ended or another update of the pipeline is active. */
export const stopUpdate = workHandler(STOP_UPDATE, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    const change = await PipelineChange.load(tx, jar, item.payload.key);
    if (change?.pipeline.active === item.payload.update) {
      await stopPipeline(change);
      await change.save();
    }
    await tx.complete(item);
  });
});
