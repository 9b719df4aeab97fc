import type { Tx } from '../../../../kernel/store/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../kernel/time/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { membersOf } from '../../engine/json.ts';
import type { PlatformJar } from '../../jar.ts';
import { jobKey } from '../collections.ts';
import type { Job, JobSettings } from '../job.ts';
import type { Run } from '../run.ts';
import { planTriggers, triggersOf } from '../triggers/plan.ts';
import { parseCron } from './cron.ts';
import { nextFiring } from './cron-times.ts';
import { FIRE_JOB, fireId } from './work.ts';
import { zoneOf } from './zone.ts';

/** Scheduling of runs. Settings are validated before they are stored, so the values here are well formed. */

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

/**
 * The next firing of a job after `after`; undefined if nothing fires. `anchor` is the last firing that was due: periodic triggers count
 * from it.
 */
export function firingAfter(settings: JobSettings, after: number, anchor = after): Firing | undefined {
  const { schedule, continuous } = settings;
  if (continuous) return continuous.pause_status === 'PAUSED' ? undefined : { at: after, trigger: 'CONTINUOUS' };
  if (schedule && schedule.pause_status !== 'PAUSED') {
    const zone = zoneOf(schedule.timezone_id);
    const at = zone && nextFiring(parseCron(schedule.quartz_cron_expression), zone, after);
    return at === undefined ? undefined : { at, trigger: 'PERIODIC' };
  }
  const [every, ...others] = triggersOf(settings).flatMap(({ periodic }) => intervalOf(periodic) ?? []);
  if (every === undefined) return undefined;
  // Several triggers have no common last firing: each counts from the epoch.
  if (others.length > 0)
    return { at: Math.min(...[every, ...others].map((each) => nextFrom(0, each, after))), trigger: 'PERIODIC' };
  return { at: nextFrom(anchor, every, after), trigger: 'PERIODIC' };
}

function nextFrom(anchor: number, every: number, after: number): number {
  const missed = Math.max(0, Math.floor((after - anchor) / every));
  return anchor + (missed + 1) * every;
}

function intervalOf(periodic: JsonMembers[string]): number | undefined {
  const { interval, unit } = membersOf(periodic);
  const size = UNITS[String(unit)];
  return typeof interval === 'number' && size !== undefined ? interval * size : undefined;
}

const timingOf = ({ schedule, trigger, triggers, continuous }: JobSettings): string =>
  JSON.stringify([schedule, trigger, triggers, continuous]);

/**
 * Called in the transaction that writes a job: schedules or cancels its next firing. A change that does not affect the timing keeps the
 * scheduled firing.
 */
export async function planFiring(tx: Tx, jar: PlatformJar, job: Job, before?: JobSettings): Promise<void> {
  if (before && timingOf(before) === timingOf(job.settings)) return;
  const key = jobKey(job.workspaceId, job.id);
  if (before || job.settings.trigger || job.settings.triggers) await planTriggers(tx, job);
  const firing = firingAfter(job.settings, jar.clock.now());
  if (firing) await tx.schedule(FIRE_JOB.at(firing.at, { key }, fireId(key)));
  else if (before) await tx.cancel(fireId(key));
}
