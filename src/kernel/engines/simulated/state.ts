import type { ObservedContainer } from '../types.ts';
import type { SimulatedContainer } from './collections.ts';

/** State of a container at a time, derived only from its document and the time. */
export function stateAt(engineId: string, container: SimulatedContainer, now: number): ObservedContainer {
  const { name, generation, run, startedAt, end } = container;
  const common = { engineId, name, generation, run, startedAt };
  if (!end || now < end.at) return { ...common, phase: 'running' };
  return { ...common, phase: 'exited', exitCode: end.exitCode, outOfMemory: end.outOfMemory, finishedAt: end.at };
}

export const isRunningAt = ({ end }: SimulatedContainer, now: number): boolean => !end || now < end.at;

/** When the next of the containers ends without being stopped. */
export function nextEnd(containers: readonly SimulatedContainer[], now: number): number | undefined {
  let next: number | undefined;
  for (const { end } of containers) {
    if (end && end.at > now && (next === undefined || end.at < next)) next = end.at;
  }
  return next;
}

/** The time up to which the process must be simulated; at most its end. */
export const lastMoment = ({ end }: SimulatedContainer, now: number): number => (end ? Math.min(end.at, now) : now);
