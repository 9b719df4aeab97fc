import type { ObservedContainer } from '../types.ts';
import type { SimulatedContainer } from './collections.ts';

/** How a container is at a time: nothing but its document and the time decide. */
export function stateAt(engineId: string, container: SimulatedContainer, now: number): ObservedContainer {
  const { name, generation, run, startedAt, end } = container;
  const common = { engineId, name, generation, run, startedAt };
  if (!end || now < end.at) return { ...common, phase: 'running' };
  return { ...common, phase: 'exited', exitCode: end.exitCode, outOfMemory: end.outOfMemory, finishedAt: end.at };
}

export const isRunningAt = ({ end }: SimulatedContainer, now: number): boolean => !end || now < end.at;

/** When the next of these containers ends by itself. */
export function nextEnd(containers: readonly SimulatedContainer[], now: number): number | undefined {
  let next: number | undefined;
  for (const { end } of containers) {
    if (end && end.at > now && (next === undefined || end.at < next)) next = end.at;
  }
  return next;
}

/** How much of the process is of interest at a time: up to then, and never beyond its end. */
export const lastMoment = ({ end }: SimulatedContainer, now: number): number => (end ? Math.min(end.at, now) : now);
