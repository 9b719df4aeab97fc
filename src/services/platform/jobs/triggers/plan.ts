import { allOf, eq, readAll, type Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { membersOf } from '../../engine/json.ts';
import { jobKey } from '../collections.ts';
import type { Job, JobSettings } from '../job.ts';
import { arrivalKey, type FileArrival, fileArrivals } from './collections.ts';
import { placeOf } from './places.ts';
import { forgetWatches, planWatches, waitsOf } from './plan-watches.ts';
import { arrivalsId } from './work.ts';

/** Every trigger of a job that is not paused; `trigger` comes before `triggers`. */
export const triggersOf = ({ trigger, triggers = [] }: JobSettings): readonly JsonMembers[] =>
  [...(trigger ? [trigger] : []), ...triggers].filter(({ pause_status: pause }) => pause !== 'PAUSED');

/** Called in the transaction that writes a job whose triggers may have changed: stores which directories, tables and models it watches. */
export async function planTriggers(tx: Tx, job: Job): Promise<void> {
  const ofJob = jobKey(job.workspaceId, job.id);
  await forgetTriggers(tx, ofJob);
  for (const [index, trigger] of triggersOf(job.settings).entries()) {
    const key = arrivalKey(ofJob, index);
    const wanted = arrivalOf(job, membersOf(trigger.file_arrival));
    if (wanted) await tx.put(fileArrivals, key, { job: ofJob, ...wanted });
    await planWatches(tx, job, key, trigger);
  }
}

/** A URL outside of the jar, such as that of a bucket, is kept but not watched. */
function arrivalOf(job: Job, { url, ...times }: JsonMembers): Omit<FileArrival, 'job'> | undefined {
  const place = typeof url === 'string' ? placeOf(job.workspaceId, url) : undefined;
  if (place === undefined) return undefined;
  return { place, ...waitsOf(times) };
}

/** Called in the transaction that removes a job or rewrites its triggers. */
export async function forgetTriggers(tx: Tx, job: string): Promise<void> {
  await forgetWatches(tx, job);
  for (const { key } of await readAll(tx, fileArrivals, { filter: allOf(eq('job', job)) })) {
    await tx.delete(fileArrivals, key);
    await tx.cancel(arrivalsId(key));
  }
}
