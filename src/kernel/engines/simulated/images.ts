import { createHash } from 'node:crypto';
import { readCached } from '../../store/read-cached.ts';
import { splitImage } from '../image-name.ts';
import type { RegistryLogin } from '../plan.ts';
import { type ImageOutcome, ImageProblem } from '../types.ts';
import { behaviourOf, registryOf } from './behaviour.ts';
import type { SimulatedImage } from './collections.ts';
import type { SimulatedContext } from './context.ts';

const MOST_LISTED = 1_000;

/** A pull succeeds at once and for all groups, unless the name of the image simulates something else. */
export async function ensureImage(
  { store, clock, images }: SimulatedContext,
  image: string,
  registries: readonly RegistryLogin[],
): Promise<ImageOutcome> {
  const { pull } = behaviourOf(image, 1);
  if (pull?.kind === 'missing') throw new ImageProblem(pull.message ?? `the image '${image}' does not exist`);
  if (pull?.kind === 'denied') throw new ImageProblem(`'${registryOf(image)}' rejects the credentials`);
  if (pull?.kind === 'needsLogin' && !hasLogin(image, registries)) {
    throw new ImageProblem(`'${registryOf(image)}' requires credentials for '${image}'`);
  }
  const key = image.toLowerCase();
  const known = await readCached(store, images, key);
  if (known?.value.pulled) return 'present';
  const now = clock.now();
  return store
    .transact(async (tx) => {
      const stored = (await tx.get(images, key))?.value;
      if (stored?.pulled) return 'present';
      const failures = (stored?.failures ?? 0) + 1;
      if (pull?.kind === 'failing' && failures <= pull.times) {
        await tx.put(images, key, { image, readyAt: now, pulled: false, failures });
        return new ImageProblem(`pull ${failures} of '${image}' fails`);
      }
      const readyAt = stored && pull?.kind === 'slow' ? stored.readyAt : now + (pull?.kind === 'slow' ? pull.ms : 0);
      const pulled = readyAt <= now;
      if (!stored || pulled) await tx.put(images, key, { image, readyAt, pulled, failures: 0 });
      return pulled ? 'pulled' : { readyAt };
    })
    .then((outcome) => {
      if (outcome instanceof ImageProblem) throw outcome;
      return outcome;
    });
}

/** Adds a simulated digest that is derived from the image's name. */
export function imageReference(image: string): string {
  if (image.includes('@')) return image;
  const digest = createHash('sha256').update(image.toLowerCase()).digest('hex');
  return `${splitImage(image).name}@sha256:${digest}`;
}

function hasLogin(image: string, registries: readonly RegistryLogin[]): boolean {
  const server = registryOf(image);
  return registries.some((it) => it.server.toLowerCase() === server && (it.password ?? '') !== '');
}

export async function cachedImages({ store, images }: SimulatedContext): Promise<{ osType: 'Linux'; image: string }[]> {
  const { items } = await store.query(images, { limit: MOST_LISTED });
  const there = (it: SimulatedImage): boolean => it.pulled;
  return items
    .map(({ value }) => value)
    .filter(there)
    .map(({ image }) => ({ osType: 'Linux', image }));
}
