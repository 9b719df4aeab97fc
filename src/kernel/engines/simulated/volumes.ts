import type { Stored } from '../../store/types.ts';
import { behaviourOf } from './behaviour.ts';
import type { SimulatedContainer } from './collections.ts';
import type { SimulatedContext } from './context.ts';
import type { Inside } from './inside.ts';
import { begin, outputOf, programOf, type Running } from './process.ts';
import { lastMoment } from './state.ts';

/** Runs a container's process up to a time, for its files and at least the last `lines` lines of its output. */
export function simulateUntil(container: SimulatedContainer, inside: Inside, now: number, lines?: number): Running {
  const until = lastMoment(container, now);
  return begin(programOf(inside.command, behaviourOf(container.image, container.run)), inside, {
    startedAt: container.startedAt,
    interestedFrom: until,
    until,
    ...(lines !== undefined && { lines }),
  });
}

export function filesOf(container: SimulatedContainer, inside: Inside, now: number): ReadonlyMap<string, string> {
  const running = simulateUntil(container, inside, now, 0);
  for (const _ of outputOf(running));
  return running.machine.files;
}

/** When the process of a running container acts next; its files do not change before. */
export function nextActivity(container: SimulatedContainer, inside: Inside, now: number): number {
  const running = simulateUntil(container, inside, now, 0);
  for (const _ of outputOf(running));
  return running.machine.time > now ? running.machine.time : Number.POSITIVE_INFINITY;
}

/** Files that other containers changed in shared volumes; changes are applied in the order in which the containers started. */
export function sharedFiles(
  { vault }: Pick<SimulatedContext, 'vault'>,
  mounts: Inside['shared'],
  others: readonly Stored<SimulatedContainer>[],
  now: number,
): Record<string, string> {
  const wanted = new Set(Object.values(mounts));
  const volumes = new Map<string, Map<string, string>>([...wanted].map((name) => [name, new Map()]));
  for (const { value } of others.toSorted((a, b) => a.value.startedAt - b.value.startedAt)) {
    const inside = JSON.parse(vault.open(value.sealed)) as Inside;
    const theirs = Object.entries(inside.shared).filter(([, volume]) => wanted.has(volume));
    if (theirs.length === 0) continue;
    const after = filesOf(value, inside, now);
    for (const [place, volume] of theirs) {
      const content = volumes.get(volume) as Map<string, string>;
      for (const path of new Set([...Object.keys(inside.files), ...after.keys()])) {
        if (!path.startsWith(`${place}/`) || after.get(path) === inside.files[path]) continue;
        const text = after.get(path);
        if (text === undefined) content.delete(path.slice(place.length));
        else content.set(path.slice(place.length), text);
      }
    }
  }
  const files: Record<string, string> = {};
  for (const [place, volume] of Object.entries(mounts)) {
    for (const [name, text] of volumes.get(volume) ?? []) files[place + name] = text;
  }
  return files;
}
