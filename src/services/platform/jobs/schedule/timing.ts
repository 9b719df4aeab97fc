import type { Tx } from '../../../../kernel/store/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../kernel/time/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { membersOf } from '../../engine/json.ts';
import type { PlatformJar } from '../../jar.ts';
import { type Job, type JobSettings, jobKey, type Run } from '../collections.ts';
import { parseCron } from './cron.ts';
import { nextFiring } from './cron-times.ts';
import { FIRE_JOB, fireId } from './work.ts';
import { zoneOf } from './zone.ts';

/** When a job begins runs by itself. Settings are checked before they are stored, so what is read here is well formed. */

const UNITS: Readonly<Record<string, number>> = {
  MINUTES: MINUTE_MS,
  HOURS: HOUR_MS,
  DAYS: DAY_MS,
  WEEKS: 7 * DAY_MS,
};

export interface Firing {
  readonly at: number;
  readonly trigger: Run['trigger'];
}

/** The next firing of a job after `after`; undefined where nothing fires. `anchor` is the last firing that was due: periodic triggers count from it. */
export function firingAfter(
  { schedule, trigger, continuous }: JobSettings,
  after: number,
  anchor = after,
): Firing | undefined {
  if (continuous) return continuous.pause_status === 'PAUSED' ? undefined : { at: after, trigger: 'CONTINUOUS' };
  if (schedule && schedule.pause_status !== 'PAUSED') {
    const zone = zoneOf(schedule.timezone_id);
    const at = zone && nextFiring(parseCron(schedule.quartz_cron_expression), zone, after);
    return at === undefined ? undefined : { at, trigger: 'PERIODIC' };
  }
  const every = trigger && trigger.pause_status !== 'PAUSED' ? intervalOf(trigger.periodic) : undefined;
  if (every === undefined) return undefined;
  const missed = Math.max(0, Math.floor((after - anchor) / every));
  return { at: anchor + (missed + 1) * every, trigger: 'PERIODIC' };
}

function intervalOf(periodic: JsonMembers[string]): number | undefined {
  const { interval, unit } = membersOf(periodic);
  const size = UNITS[String(unit)];
  return typeof interval === 'number' && size !== undefined ? interval * size : undefined;
}

const timingOf = ({ schedule, trigger, continuous }: JobSettings): string =>
  JSON.stringify([schedule, trigger, continuous]);

/** In the transaction that writes a job: schedules its next firing, or cancels it. A change that leaves the timing alone leaves the firing alone. */
export async function planFiring(tx: Tx, jar: PlatformJar, job: Job, before?: JobSettings): Promise<void> {
  if (before && timingOf(before) === timingOf(job.settings)) return;
  const key = jobKey(job.workspaceId, job.id);
  const firing = firingAfter(job.settings, jar.clock.now());
  if (firing) await tx.schedule(FIRE_JOB.at(firing.at, { key }, fireId(key)));
  else if (before) await tx.cancel(fireId(key));
}
