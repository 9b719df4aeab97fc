import { type Change, pagesOf, type Tx } from '../../../../kernel/store/index.ts';
import { MINUTE_MS } from '../../../../kernel/time/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { follow } from '../../tree/nodes.ts';
import { fileArrivals } from './collections.ts';
import { type ChangedPlace, changedPlace, placesAbove } from './places.ts';
import { arrivalsId, CHECK_ARRIVALS } from './work.ts';

/** Kinds of change records that create files. */
const WRITES: ReadonlySet<string> = new Set(['write', 'import']);
const COMES_WHOLE: ReadonlySet<string> = new Set(['move', 'clone', 'checkout']);

/** Called in the transaction of a change: schedules a check of the jobs that watch its place for files. */
export async function noticeArrival(
  tx: Tx,
  { clock }: Pick<PlatformJar, 'clock'>,
  change: Pick<Change, 'source' | 'kind' | 'subject'>,
): Promise<void> {
  if (change.source !== 'platform' || !(WRITES.has(change.kind) || COMES_WHOLE.has(change.kind))) return;
  const changed = changedPlace(change.subject);
  if (!changed) return;
  const filter = { op: 'in', field: 'place', values: placesAbove(changed) } as const;
  const now = clock.now();
  let isNew = COMES_WHOLE.has(change.kind);
  for await (const page of pagesOf(tx, fileArrivals, { filter })) {
    for (const { key } of page) {
      isNew ||= await wasMade(tx, changed, now);
      // An overwritten file is not a new file.
      if (!isNew) return;
      const arrival = (await tx.get(fileArrivals, key))?.value;
      if (!arrival) continue;
      await tx.put(fileArrivals, key, { ...arrival, arrivedAt: now });
      await tx.wake(CHECK_ARRIVALS.at(nextLook(now), { job: arrival.job, key }, arrivalsId(key)));
    }
  }
}

/** The platform checks triggers once a minute. */
export const nextLook = (now: number): number => (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;

async function wasMade(tx: Tx, { tree, names }: ChangedPlace, now: number): Promise<boolean> {
  const { nodes, missing } = await follow(tx, tree, names);
  return missing.length === 0 && nodes.at(-1)?.createdAt === now;
}
