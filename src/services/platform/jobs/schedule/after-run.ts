import { allOf, eq, type Tx } from '../../../../kernel/store/index.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../../kernel/time/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { jobKey, jobs, runKey, runs } from '../collections.ts';
import type { Run } from '../run.ts';
import { isFailure } from '../states.ts';
import { FIRE_JOB, FORGET_RUN, fireId, forgetId } from './work.ts';

/** Retention of runs after their end. */
export const KEPT_MS = 60 * DAY_MS;

/** Pause between two runs of a continuous job. Never 0: runs without duration would follow each other endlessly at one instant. */
const CONTINUOUS_PAUSE_MS = 10 * SECOND_MS;
const FIRST_BACKOFF_MS = MINUTE_MS;
const FAILURES_COUNTED = 7;

/** Called in the transaction that ends a run: schedules its deletion 60 days later, and the next run of a continuous job. */
export async function afterRun(tx: Tx, jar: PlatformJar, run: Run): Promise<void> {
  const now = jar.clock.now();
  const key = runKey(run.workspaceId, run.id);
  await tx.schedule(FORGET_RUN.at(now + KEPT_MS, { key }, forgetId(key)));
  if (run.jobId === undefined) return;
  const ofJob = jobKey(run.workspaceId, run.jobId);
  const job = (await tx.get(jobs, ofJob, 'none'))?.value;
  const { continuous } = job?.settings ?? {};
  if (!continuous || continuous.pause_status === 'PAUSED') return;
  const delay = run.ending && isFailure(run.ending) ? await backoff(tx, run) : CONTINUOUS_PAUSE_MS;
  await tx.schedule(FIRE_JOB.at(now + delay, { key: ofJob }, fireId(ofJob)));
}

/** Delay after the first consecutive failure: a minute, doubled with each further failure, up to an hour and four minutes. */
async function backoff(tx: Tx, { workspaceId, jobId, id }: Run): Promise<number> {
  const filter = allOf(eq('job', `${workspaceId}/${jobId}`), eq('ended', true));
  const order = [{ field: 'listedAt', descending: true }];
  const { items } = await tx.query(runs, { filter, order, limit: FAILURES_COUNTED });
  // Excludes this run, because the caller may or may not have written its end already.
  const before = items.filter(({ value }) => value.id !== id);
  const succeeded = before.findIndex(({ value: { ending } }) => !ending || !isFailure(ending));
  const failures = succeeded < 0 ? before.length : succeeded;
  return FIRST_BACKOFF_MS * 2 ** Math.min(failures, FAILURES_COUNTED - 1);
}
