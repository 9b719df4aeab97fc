import type { V1Pod } from '@kubernetes/client-node';
import type { ContainerStatus, EventRecord, GroupStatus } from '../status.ts';
import { CARRIED_ANNOTATION } from './names.ts';

/** Counts from before the current Pod was created, by container name; '' is the group itself. */
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

/** All annotations together may have 256 KB. If the events need too much of it, only the numbers are kept. */
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
    // The annotation was edited by hand: start counting from zero.
  }
  return (container) => ({ ...NOTHING, ...carried?.[container] });
}
