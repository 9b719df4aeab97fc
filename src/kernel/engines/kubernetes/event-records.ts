import type { CoreV1Event } from '@kubernetes/client-node';
import { EVENT_TEXT } from '../events.ts';
import type { EventName, EventRecord } from '../status.ts';
import { type CarriedCounts, eventKey } from './carried.ts';

/** Event reasons of the cluster and the event names of a group. Other reasons, such as `Scheduled`, are omitted. */
const NAMES: Readonly<Record<string, EventName>> = {
  Pulling: 'Pulling',
  Pulled: 'Pulled',
  Created: 'Created',
  Started: 'Started',
  Killing: 'Killing',
  Preempting: 'Killing',
  Evicted: 'Killing',
  Failed: 'Failed',
  FailedScheduling: 'Failed',
  FailedCreatePodSandBox: 'Failed',
  InspectFailed: 'Failed',
  ErrImageNeverPull: 'Failed',
  BackOff: 'BackOff',
  Unhealthy: 'Unhealthy',
  ProbeWarning: 'Unhealthy',
  FailedMount: 'FailedMount',
  FailedAttachVolume: 'FailedMount',
  SandboxChanged: 'SandboxChanged',
};

const MOST_RECORDS = 50;

/** Name of the container that an event is about; '' for the Pod as a whole. */
export function containerOfEvent({ involvedObject }: Pick<CoreV1Event, 'involvedObject'>): string {
  return /^spec\.(?:initContainers|containers)\{(.+)\}$/.exec(involvedObject.fieldPath ?? '')?.[1] ?? '';
}

/**
 * Merges the cluster's events about one Pod into a list. A cluster keeps events for an hour and only for the current Pod, so counts
 * continue from `carried`, and known events stay in the list.
 */
export function mergeEvents(
  known: readonly EventRecord[],
  reported: readonly CoreV1Event[],
  carried: CarriedCounts,
  at: (time: Date | undefined) => number,
): EventRecord[] {
  const merged = [...known];
  for (const record of summed(reported, at)) {
    const count = (carried.events[eventKey(record)] ?? 0) + record.count;
    const index = merged.findIndex((it) => eventKey(it) === eventKey(record));
    const before = merged[index];
    if (!before) merged.push({ ...record, count });
    else if (count > before.count) merged[index] = { ...before, count, lastAt: Math.max(before.lastAt, record.lastAt) };
  }
  return merged.slice(-MOST_RECORDS);
}

const QUOTED = /"([^"]+)"/;

/** Uses the event texts that groups have on every engine; other texts of the cluster stay as they are. */
function messageOf(name: EventName, { message = '', involvedObject }: CoreV1Event): string {
  const image = QUOTED.exec(message)?.[1];
  const isOfContainer = containerOfEvent({ involvedObject }) !== '';
  if (name === 'Pulling' && image) return EVENT_TEXT.pulling(image);
  if (name === 'Pulled' && image) return EVENT_TEXT.pulled(image);
  if (name === 'Created' && isOfContainer) return EVENT_TEXT.created;
  if (name === 'Started' && isOfContainer) return EVENT_TEXT.started;
  if (name === 'BackOff' && message.startsWith('Back-off restarting')) return EVENT_TEXT.backOff;
  return message;
}

/** Sums up equal events, ordered by their first occurrence. */
function summed(reported: readonly CoreV1Event[], at: (time: Date | undefined) => number): EventRecord[] {
  const sums = new Map<string, EventRecord>();
  for (const event of reported) {
    const name = NAMES[event.reason ?? ''];
    if (!name) continue;
    const first = event.firstTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp;
    const last = event.lastTimestamp ?? event.series?.lastObservedTime ?? first;
    const record: EventRecord = {
      name,
      type: event.type === 'Warning' ? 'Warning' : 'Normal',
      message: messageOf(name, event),
      count: event.count ?? event.series?.count ?? 1,
      firstAt: at(first),
      lastAt: at(last),
    };
    const key = eventKey(record);
    const sum = sums.get(key);
    if (sum) {
      sum.count += record.count;
      sum.firstAt = Math.min(sum.firstAt, record.firstAt);
      sum.lastAt = Math.max(sum.lastAt, record.lastAt);
    } else sums.set(key, record);
  }
  return [...sums.values()].sort((a, b) => a.firstAt - b.firstAt);
}
