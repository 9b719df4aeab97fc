import type { V1Pod } from '@kubernetes/client-node';
import type { ContainerStatus, EventRecord, GroupStatus } from '../status.ts';
import { CARRIED_ANNOTATION } from './names.ts';

/** What a group had counted before its present Pod was made: by the container's name, and by '' for the group itself. */
export type Carried = Readonly<Record<string, CarriedCounts>>;

export interface CarriedCounts {
  readonly restarts: number;
  readonly runs: number;
  readonly events: Readonly<Record<string, number>>;
}

const NOTHING: CarriedCounts = { restarts: 0, runs: 0, events: {} };

export const NOTHING_CARRIED: Carried = {};

export const eventKey = ({ name, message }: Pick<EventRecord, 'name' | 'message'>): string => `${name}: ${message}`;

const countsOf = (events: readonly EventRecord[]): Record<string, number> =>
  Object.fromEntries(events.map((event) => [eventKey(event), event.count]));

export function carriedFrom({ init, containers, events }: GroupStatus): Carried {
  const each = ({ name, restartCount, run, events }: ContainerStatus): [string, CarriedCounts] => [
    name,
    { restarts: restartCount, runs: run, events: countsOf(events) },
  ];
  const entries = [...init, ...containers].map(each).filter(([, { restarts, runs, events }]) => {
    return restarts > 0 || runs > 0 || Object.keys(events).length > 0;
  });
  if (events.length > 0) entries.push(['', { restarts: 0, runs: 0, events: countsOf(events) }]);
  return Object.fromEntries(entries);
}

/** Annotations have room for 256 KB in all; where the events would take too much of it, only the numbers are kept. */
const MOST_BYTES = 128 * 1024;

export function writeCarried(carried: Carried): string {
  const whole = JSON.stringify(carried);
  if (Buffer.byteLength(whole) <= MOST_BYTES) return whole;
  return JSON.stringify(Object.fromEntries(Object.entries(carried).map(([key, it]) => [key, { ...it, events: {} }])));
}

export function readCarried({ metadata }: V1Pod): (container: string) => CarriedCounts {
  const text = metadata?.annotations?.[CARRIED_ANNOTATION];
  let carried: Record<string, Partial<CarriedCounts>> | null = null;
  try {
    carried = text === undefined ? null : JSON.parse(text);
  } catch {
    // Somebody has edited it: count from nothing.
  }
  return (container) => ({ ...NOTHING, ...carried?.[container] });
}
