import type { NeedName, Operation } from '../operation.ts';
import { deviceCounts } from './active-devices.ts';
import {
  crashGroupCounts,
  crashGroupModelCounts,
  crashGroupOperatingSystemCounts,
  crashGroupsTotals,
  crashGroupTotals,
} from './crash-groups.ts';
import { crashCounts, crashFreeDevicePercentages } from './crashes.ts';
import { eventsDelete, eventsDeleteLogs } from './delete-event.ts';
import { eventCount, eventDeviceCount, eventPerDeviceCount, eventPerSessionCount } from './event.ts';
import { eventProperties, eventPropertyCounts } from './event-properties.ts';
import { events } from './events.ts';
import { logFlow } from './log-flow.ts';
import { distributionReleaseCounts } from './release-counts.ts';
import { perDeviceCounts, sessionCounts, sessionDurationsDistribution } from './sessions.ts';
import { languageCounts, modelCounts, operatingSystemCounts, placeCounts, versions } from './shares.ts';

type Code = Operation['code'];

const row =
  (method: Operation['method'], needs: NeedName) =>
  (path: string, name: string, summary: string, code: Code): Operation => ({
    method,
    path: `/apps/{owner_name}/{app_name}/analytics${path}`,
    operation: `analytics_${name}`,
    summary,
    needs,
    code,
  });

const read = row('GET', 'appRead');
const remove = row('DELETE', 'appManage');
/** A POST with a query in its body; it changes nothing. */
const ask = row('POST', 'appRead');

/** Operations for usage statistics. */
export const ANALYTICS_OPERATIONS: readonly Operation[] = [
  read('/versions', 'versions', 'Devices by version', versions),
  read('/oses', 'operatingSystemCounts', 'Devices by operating system', operatingSystemCounts),
  read('/models', 'modelCounts', 'Devices by model', modelCounts),
  read('/languages', 'languageCounts', 'Devices by language', languageCounts),
  read('/places', 'placeCounts', 'Devices by country', placeCounts),
  read(
    '/active_device_counts',
    'deviceCounts',
    'Active devices per day, and in the week and month that end on that day',
    deviceCounts,
  ),
  read('/session_counts', 'sessionCounts', 'Sessions per interval', sessionCounts),
  read('/sessions_per_device', 'perDeviceCounts', 'Sessions per device and interval', perDeviceCounts),
  read(
    '/session_durations_distribution',
    'sessionDurationsDistribution',
    'Durations of sessions',
    sessionDurationsDistribution,
  ),
  read('/events', 'events', 'Events and their counts', events),
  read('/events/{event_name}/event_count', 'eventCount', 'Occurrences of an event', eventCount),
  read('/events/{event_name}/device_count', 'eventDeviceCount', 'Devices on which an event occurred', eventDeviceCount),
  read(
    '/events/{event_name}/count_per_device',
    'eventPerDeviceCount',
    'Occurrences of an event per device that had it',
    eventPerDeviceCount,
  ),
  read(
    '/events/{event_name}/count_per_session',
    'eventPerSessionCount',
    'Occurrences of an event per session',
    eventPerSessionCount,
  ),
  read('/events/{event_name}/properties', 'eventProperties', 'The properties of an event', eventProperties),
  read(
    '/events/{event_name}/properties/{event_property_name}/counts',
    'eventPropertyCounts',
    'The values of an event property',
    eventPropertyCounts,
  ),
  remove('/events/{event_name}', 'eventsDelete', 'Forgets an event', eventsDelete),
  remove('/event_logs/{event_name}', 'eventsDeleteLogs', 'Resets the counts of an event', eventsDeleteLogs),
  read('/log_flow', 'logFlow', 'The latest logs of today', logFlow),
  read('/generic_log_flow', 'genericLogFlow', 'The latest logs of today, of all types', logFlow),
  ask('/distribution/release_counts', 'distributionReleaseCounts', 'Downloads of releases', distributionReleaseCounts),
  read(
    '/crashfree_device_percentages',
    'crashFreeDevicePercentages',
    'Percentage of devices without a crash',
    crashFreeDevicePercentages,
  ),
  read('/crash_counts', 'crashCounts', 'Crashes of the app', crashCounts),
  ask('/crash_groups', 'crashGroupsTotals', 'Crashes of several groups', crashGroupsTotals),
  read('/crash_groups/{crash_group_id}/overall', 'crashGroupTotals', 'Crashes of a group', crashGroupTotals),
  read(
    '/crash_groups/{crash_group_id}/crash_counts',
    'crashGroupCounts',
    'Crashes of a group per day',
    crashGroupCounts,
  ),
  read(
    '/crash_groups/{crash_group_id}/operating_systems',
    'crashGroupOperatingSystemCounts',
    'Crashes of a group by operating system',
    crashGroupOperatingSystemCounts,
  ),
  read(
    '/crash_groups/{crash_group_id}/models',
    'crashGroupModelCounts',
    'Crashes of a group by model',
    crashGroupModelCounts,
  ),
];
