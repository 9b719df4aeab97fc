import { combinedPurge, type OnDelete, purgeOf } from '../apps/deletion.ts';
import { EVENT_NAMES } from '../limits.ts';
import { blockedLogs, logReceipts } from '../logs/collections.ts';
import { audiences, deviceDays, deviceProfiles, eventDefinitions, eventValues } from './collections.ts';

/** Upper bound of events per app, whatever its limit. */
const ALL_EVENTS = 100_000;

/** Analytics documents of an app. */
const ofApp = (appId: string) => ({ prefix: `${appId}/` });

/** Frees the quota of event names at once. */
export const dropEventsOfApp: OnDelete = async (tx, { limits }, { id }) => {
  const { items } = await tx.query(eventDefinitions, { ...ofApp(id), limit: ALL_EVENTS });
  for (const { key } of items) await tx.delete(eventDefinitions, key);
  if (items.length > 0) await limits.freeQuota(tx, { limit: EVENT_NAMES, scope: [id], count: items.length });
  await tx.delete(blockedLogs, id);
};

export const purgeAnalytics = combinedPurge([
  purgeOf(deviceDays, ofApp),
  purgeOf(eventValues, ofApp),
  purgeOf(deviceProfiles, ofApp),
  purgeOf(logReceipts, ofApp),
  purgeOf(blockedLogs, ofApp),
  purgeOf(audiences, ofApp),
]);
