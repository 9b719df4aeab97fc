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
    'Active devices of every day, and of the week and the month that end with it',
    deviceCounts,
  ),
  read('/session_counts', 'sessionCounts', 'Sessions in every interval', sessionCounts),
  read('/sessions_per_device', 'perDeviceCounts', 'Sessions per device in every interval', perDeviceCounts),
  read(
    '/session_durations_distribution',
    'sessionDurationsDistribution',
    'How long sessions last',
    sessionDurationsDistribution,
  ),
  read('/events', 'events', 'Events and how often they were', events),
  read('/events/{event_name}/event_count', 'eventCount', 'How often an event was', eventCount),
  read('/events/{event_name}/device_count', 'eventDeviceCount', 'On how many devices an event was', eventDeviceCount),
  read(
    '/events/{event_name}/count_per_device',
    'eventPerDeviceCount',
    'How often an event was on a device that had it',
    eventPerDeviceCount,
  ),
  read(
    '/events/{event_name}/count_per_session',
    'eventPerSessionCount',
    'How often an event was in a session',
    eventPerSessionCount,
  ),
  read('/events/{event_name}/properties', 'eventProperties', 'The properties that an event had', eventProperties),
  read(
    '/events/{event_name}/properties/{event_property_name}/counts',
    'eventPropertyCounts',
    'The values that a property of an event had',
    eventPropertyCounts,
  ),
  remove('/events/{event_name}', 'eventsDelete', 'Forgets an event', eventsDelete),
  remove('/event_logs/{event_name}', 'eventsDeleteLogs', 'Forgets how often an event was', eventsDeleteLogs),
  read('/log_flow', 'logFlow', 'The latest logs of today', logFlow),
  read('/generic_log_flow', 'genericLogFlow', 'The latest logs of today, all types alike', logFlow),
  ask(
    '/distribution/release_counts',
    'distributionReleaseCounts',
    'How often releases were downloaded',
    distributionReleaseCounts,
  ),
  read(
    '/crashfree_device_percentages',
    'crashFreeDevicePercentages',
    'How many devices did not crash',
    crashFreeDevicePercentages,
  ),
  read('/crash_counts', 'crashCounts', 'How often the app crashed', crashCounts),
  ask('/crash_groups', 'crashGroupsTotals', 'How often there were crashes of some groups', crashGroupsTotals),
  read(
    '/crash_groups/{crash_group_id}/overall',
    'crashGroupTotals',
    'How often there were crashes of a group',
    crashGroupTotals,
  ),
  read(
    '/crash_groups/{crash_group_id}/crash_counts',
    'crashGroupCounts',
    'How often there were crashes of a group, day by day',
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
