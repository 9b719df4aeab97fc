import type { OnDelete, Purge } from '../apps/on-delete.ts';
import { purgeOf } from '../apps/on-delete.ts';
import { EVENT_NAMES } from '../limits.ts';
import { blockedLogs, logReceipts } from '../logs/collections.ts';
import { audiences, deviceDays, deviceProfiles, eventDefinitions, eventValues } from './collections.ts';

/** An app has no more events than this, whatever its limit. */
const ALL_EVENTS = 100_000;

/** What the app's logs were counted in. */
const ofApp = (appId: string) => ({ prefix: `${appId}/` });

/** The names of its events are off the count at once. */
export const dropEventsOfApp: OnDelete = async (tx, { limits }, { id }) => {
  const { items } = await tx.query(eventDefinitions, { ...ofApp(id), limit: ALL_EVENTS });
  for (const { key } of items) await tx.delete(eventDefinitions, key);
  if (items.length > 0) await limits.freeQuota(tx, { limit: EVENT_NAMES, scope: [id], count: items.length });
  await tx.delete(blockedLogs, id);
};

export const ANALYTICS_PURGES: readonly Purge[] = [
  purgeOf(deviceDays, ofApp),
  purgeOf(eventValues, ofApp),
  purgeOf(deviceProfiles, ofApp),
  purgeOf(logReceipts, ofApp),
  purgeOf(blockedLogs, ofApp),
  purgeOf(audiences, ofApp),
];

/** As one: done when none of them has anything left. */
export const purgeAnalytics: Purge = async (tx, appId, most) => {
  let removed = 0;
  for (const purge of ANALYTICS_PURGES) {
    if (removed < most) removed += await purge(tx, appId, most - removed);
  }
  return removed;
};
