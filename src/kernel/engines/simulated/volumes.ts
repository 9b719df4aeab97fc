import type { Stored } from '../../store/types.ts';
import { behaviourOf } from './behaviour.ts';
import type { SimulatedContainer } from './collections.ts';
import type { SimulatedContext } from './context.ts';
import type { Inside } from './inside.ts';
import { begin, outputOf, programOf, type Running } from './process.ts';
import { lastMoment } from './state.ts';

/** A container as it is at a time: its files, and its output on the way there, the last so many lines of it at least. */
export function asOf(container: SimulatedContainer, inside: Inside, now: number, lines?: number): Running {
  const until = lastMoment(container, now);
  return begin(programOf(inside.command, behaviourOf(container.image, container.run)), inside, {
    startedAt: container.startedAt,
    interestedFrom: until,
    until,
    ...(lines !== undefined && { lines }),
  });
}

export function filesOf(container: SimulatedContainer, inside: Inside, now: number): ReadonlyMap<string, string> {
  const running = asOf(container, inside, now, 0);
  for (const _ of outputOf(running));
  return running.machine.files;
}

/** When the process of a running container does something next; until then its files stay as they are. */
export function nextDeed(container: SimulatedContainer, inside: Inside, now: number): number {
  const running = asOf(container, inside, now, 0);
  for (const _ of outputOf(running));
  return running.machine.time > now ? running.machine.time : Number.POSITIVE_INFINITY;
}

/**
 * What others have put into the volumes that a container has in common with them: what each of them changed, in the order in
 * which they started.
 */
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
