import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { DAY_MS, dayOf, startOfDay } from '../../../kernel/time/index.ts';
import type { AppLog, Delivery } from '../logs/types.ts';
import { deviceDays } from './collections.ts';
import { KEPT_DAYS } from './days.ts';
import { DayDraft } from './device-day.ts';
import { part } from './key-part.ts';
import { type CountedEvents, defineEvents, recordValues } from './record-events.ts';
import { recordProfile } from './record-profile.ts';
import { FORGET_DAY } from './work.ts';

/** The logs of a device from one day and one build of the app. */
interface DayLogs {
  readonly day: string;
  readonly version: string;
  readonly build: string;
  readonly logs: AppLog[];
}

/** Records the app's use from its logs. Part of the transaction that accepts the logs. */
export async function recordAnalytics(tx: Tx, jar: Jar, delivery: Delivery): Promise<void> {
  const { app, installId, logs } = delivery;
  const events = await defineEvents(tx, jar, delivery);
  // In order of days, because a session can continue into the next day.
  for (const each of logsByDay(logs)) {
    await recordDay(tx, app.id, installId, each, events);
    await recordValues(tx, app.id, installId, each, events);
  }
  await recordProfile(tx, delivery);
}

function logsByDay(logs: readonly AppLog[]): DayLogs[] {
  const days = new Map<string, DayLogs>();
  for (const log of logs) {
    const { appVersion: version = '', appBuild: build = '' } = log.device;
    const day = dayOf(log.at);
    const key = [day, part(version), part(build)].join('/');
    const known = days.get(key);
    if (known) known.logs.push(log);
    else days.set(key, { day, version, build, logs: [log] });
  }
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

async function recordDay(
  tx: Tx,
  appId: string,
  installId: string,
  { day, version, build, logs }: DayLogs,
  events: CountedEvents,
): Promise<void> {
  const keyOn = (someDay: string): string => [appId, someDay, installId, part(version), part(build)].join('/');
  const stored = await tx.get(deviceDays, keyOn(day));
  const draft = new DayDraft(stored?.value, { version, build });
  const overnight = draft.add(logs, events);
  // A session without a start on this day may have started the day before.
  if (overnight.length > 0) {
    const before = keyOn(dayOf(startOfDay(day) - DAY_MS));
    const yesterday = await tx.get(deviceDays, before);
    const dayBefore = yesterday && new DayDraft(yesterday.value, { version, build });
    const rest = dayBefore ? dayBefore.prolong(overnight) : overnight;
    if (dayBefore && rest.length < overnight.length) await tx.put(deviceDays, before, dayBefore.finished());
    draft.await(rest);
  }
  await tx.put(deviceDays, keyOn(day), draft.finished());
  if (!stored) await forgetInTime(tx, appId, day);
}

/** Schedules one work item per app and day. */
async function forgetInTime(tx: Tx, appId: string, day: string): Promise<void> {
  const dueAt = startOfDay(day) + (KEPT_DAYS + 1) * DAY_MS;
  await tx.wake(FORGET_DAY.at(dueAt, { appId, day }, `${FORGET_DAY.kind}/${appId}/${day}`));
}
