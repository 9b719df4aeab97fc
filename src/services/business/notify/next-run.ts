import type { DueDelivery } from '../../../kernel/delivery/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import type { BusinessJar } from '../jar.ts';
import type { Settings } from '../settings.ts';
import { type Run, sendings } from './collections.ts';
import { lockAddress } from './send.ts';

/**
 * Handles a failed run. The failure counts for the entries that were due, and their next attempt depends on their own number of attempts;
 * entries that only went along keep theirs. Returns the time of the next run: now, if entries arrived meanwhile.
 */
export async function nextRun(
  tx: Tx,
  [delivery]: readonly DueDelivery[],
  jar: BusinessJar,
): Promise<number | undefined> {
  if (!delivery) return undefined;
  const key = `${delivery.owner}/${delivery.id}`;
  const place = (await tx.get(sendings, key, 'none'))?.value.place;
  if (!place) return undefined;
  await lockAddress(tx, place.address);
  const sending = await tx.get(sendings, key);
  if (!sending) return undefined;
  const { underWay, ...value } = sending.value;
  const now = jar.clock.now();
  const settings = await jar.settings.within(tx);
  const began = underWay ?? now;
  const runs = (value.runs ?? []).map((run) => (run.dueAt <= began ? afterFailure(run, settings, now) : run));
  await tx.put(sendings, key, { ...value, runs });
  if ((value.joining ?? []).length > 0) return now;
  return runs.length === 0 ? undefined : Math.min(...runs.map(({ dueAt }) => dueAt));
}

/** The last delay of the schedule repeats; the retry window limits it. */
function afterFailure(run: Run, { apiSubscriptionRetrySchedule: schedule }: Settings, now: number): Run {
  const attempts = run.attempts + 1;
  const wait = schedule[Math.min(attempts, schedule.length) - 1] ?? 0;
  return { ...run, attempts, dueAt: Math.min(now + wait, run.until) };
}
