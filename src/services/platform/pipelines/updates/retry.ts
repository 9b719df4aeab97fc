import { HOUR_MS, MINUTE_MS } from '../../../../kernel/time/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import { membersOf, textOf } from '../../engine/json.ts';
import type { PlatformJar } from '../../jar.ts';
import type { Update } from '../collections.ts';
import { PipelineChange } from '../pipeline-change.ts';
import { RETRY_PIPELINE, retryId } from '../work.ts';
import type { Failure } from './finish.ts';
import { startUpdate, unableToRun } from './start.ts';

/** Number of retries of a failed update of a triggered pipeline; a continuous pipeline retries without limit. */
const USUAL_RETRIES = 5;
const RETRIES = 'pipelines.numUpdateRetryAttempts';

const FIRST_DELAY_MS = MINUTE_MS;
const LONGEST_DELAY_MS = HOUR_MS;

/** Called in the transaction in which an update fails: schedules the next attempt. Returns false if the update is not retried. */
export async function planRetry(change: PipelineChange, update: Update, { isFatal }: Failure): Promise<boolean> {
  const { attempt, waitedForBy, config } = update;
  // A job has its own retry settings for its tasks.
  if (isFatal || waitedForBy !== undefined || config.development === true) return false;
  if (change.pipeline.deletedAt !== undefined || attempt >= mostRetries(update)) return false;
  const at = change.now + Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempt, 20), LONGEST_DELAY_MS);
  change.pipeline = { ...change.pipeline, retry: { at, attempt: attempt + 1 } };
  await change.tx.schedule(RETRY_PIPELINE.at(at, { key: change.key }, retryId(change.key)));
  return true;
}

function mostRetries({ config }: Update): number {
  const said = textOf(membersOf(config.configuration)[RETRIES]) ?? '';
  if (/^\d{1,6}$/.test(said)) return Number(said);
  return config.continuous === true ? Number.POSITIVE_INFINITY : USUAL_RETRIES;
}

export const retryPipeline = workHandler(RETRY_PIPELINE, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    await tx.complete(item);
    const change = await PipelineChange.load(tx, jar, item.payload.key);
    const { retry, active, latest } = change?.pipeline ?? {};
    if (!change || !retry || active !== undefined) return;
    const failed = latest?.[0] && (await change.update(latest[0].id));
    const unable = await unableToRun(change);
    if (unable !== undefined) {
      change.pipeline = { ...change.pipeline, retry: undefined };
      change.note({ type: 'update_progress', level: 'ERROR', message: `The update was not retried: ${unable}` });
    } else
      await startUpdate(change, {
        cause: 'RETRY_ON_FAILURE',
        request: failed?.request ?? {},
        attempt: retry.attempt,
      });
    await change.save();
  });
});
