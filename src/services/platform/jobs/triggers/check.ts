import { workHandler } from '../../../../kernel/work/index.ts';
import { settleWith } from '../../compute/settle-with.ts';
import type { PlatformJar } from '../../jar.ts';
import { jobs } from '../collections.ts';
import { begin } from '../schedule/fire.ts';
import { type FileArrival, fileArrivals } from './collections.ts';
import { CHECK_ARRIVALS } from './work.ts';

/** Starts a run for new files, once the trigger's waiting times have passed. */
export const checkArrivals = workHandler(CHECK_ARRIVALS, async (item, jar: PlatformJar) => {
  const { job: ofJob, key } = item.payload;
  await jar.taskImages.refresh();
  await settleWith(jar.store, item, async (tx) => {
    // Same lock order as a change of the job.
    const job = (await tx.get(jobs, ofJob))?.value;
    const arrival = (await tx.get(fileArrivals, key))?.value;
    return async () => {
      if (!job || !arrival) return undefined;
      const dueAt = dueOf(arrival);
      const now = jar.clock.now();
      if (dueAt === undefined || dueAt > now) return dueAt;
      const { arrivedAt: _arrivedAt, ...rest } = arrival;
      await tx.put(fileArrivals, key, { ...rest, firedAt: now });
      await begin(tx, jar, job, 'FILE_ARRIVAL');
      return undefined;
    };
  });
});

/** Undefined if no file has arrived since the last run. */
export function dueOf({
  arrivedAt,
  firedAt,
  waitMs,
  betweenMs,
}: Pick<FileArrival, 'arrivedAt' | 'firedAt' | 'waitMs' | 'betweenMs'>): number | undefined {
  if (arrivedAt === undefined) return undefined;
  return Math.max(arrivedAt + waitMs, firedAt === undefined ? 0 : firedAt + betweenMs);
}
