import { allOf, eq, readAll, type Tx } from '../../../../kernel/store/index.ts';
import { SECOND_MS } from '../../../../kernel/time/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { membersOf, numberOf } from '../../engine/json.ts';
import { jobKey } from '../collections.ts';
import type { Job, JobSettings } from '../job.ts';
import { arrivalKey, type FileArrival, fileArrivals } from './collections.ts';
import { placeOf } from './places.ts';
import { arrivalsId } from './work.ts';

/** Every trigger of a job that is not paused, the one of `trigger` first. */
export const triggersOf = ({ trigger, triggers = [] }: JobSettings): readonly JsonMembers[] =>
  [...(trigger ? [trigger] : []), ...triggers].filter(({ pause_status: pause }) => pause !== 'PAUSED');

/** In the transaction that writes a job whose triggers may have changed: which directories are watched for it. */
export async function planArrivals(tx: Tx, job: Job): Promise<void> {
  const ofJob = jobKey(job.workspaceId, job.id);
  await forgetArrivals(tx, ofJob);
  for (const [index, trigger] of triggersOf(job.settings).entries()) {
    const wanted = arrivalOf(job, membersOf(trigger.file_arrival));
    if (wanted) await tx.put(fileArrivals, arrivalKey(ofJob, index), { job: ofJob, ...wanted });
  }
}

/** An address outside of the jar, such as that of a bucket, is kept and watched by nobody. */
function arrivalOf(job: Job, { url, ...times }: JsonMembers): Omit<FileArrival, 'job'> | undefined {
  const place = typeof url === 'string' ? placeOf(job.workspaceId, url) : undefined;
  if (place === undefined) return undefined;
  const between = numberOf(times.min_time_between_triggers_seconds) ?? 0;
  const wait = numberOf(times.wait_after_last_change_seconds) ?? 0;
  return { place, betweenMs: between * SECOND_MS, waitMs: wait * SECOND_MS };
}

export async function forgetArrivals(tx: Tx, job: string): Promise<void> {
  for (const { key } of await readAll(tx, fileArrivals, { filter: allOf(eq('job', job)) })) {
    await tx.delete(fileArrivals, key);
    await tx.cancel(arrivalsId(key));
  }
}
