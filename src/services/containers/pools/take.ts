import { type Resource, type ResourceWrite, resources, type Shown } from '../../../kernel/arm/index.ts';
import { awaitCommit, readAll } from '../../../kernel/store/index.ts';
import { type Runtime, runtimes } from '../collections.ts';
import { containerErrors } from '../errors.ts';
import type { ContainersJar } from '../jar.ts';
import type { GroupSource } from '../profiles/group-of-profile.ts';
import { isTransitioning } from '../runtime/transitions.ts';
import { instancesOf, poolInstances } from './collections.ts';
import { fill, isDeleting } from './fill.ts';

type Write = ResourceWrite<{ readonly source: GroupSource | undefined }, ContainersJar>;

/** Returns true if the new group is created from an instance of the pool that its body names; the pool is then refilled. */
export async function takeInstance({ tx, call, prepared }: Write): Promise<boolean> {
  const wanted = prepared.source?.pool;
  if (!wanted) return false;
  const { key, isMust } = wanted;
  // Locked, so that no two groups get the same instance.
  const pool = (await tx.get(resources, key))?.value;
  const now = call.jar.clock.now();
  const all = pool && !isDeleting(pool) ? await readAll(tx, poolInstances, { prefix: instancesOf(key) }) : [];
  const ready = all.filter(({ value }) => value.readyAt <= now).sort((a, b) => a.value.readyAt - b.value.readyAt)[0];
  if (pool && ready) {
    await tx.delete(poolInstances, ready.key);
    await fill(tx, call.jar, key, pool.properties);
    return true;
  }
  if (!isMust) return false;
  const name = pool?.name ?? key.slice(key.lastIndexOf('/') + 1);
  throw containerErrors.StandbyPoolReuseFailed({ pool: name }, { target: 'properties.standbyPoolProfile.id' });
}

/** Maximum time in real time that the answer is held back; after it the answer says that the creation continues. */
const LONGEST_WAIT_MS = 30_000;

/** The answer to a PUT waits until a group from a pool runs; for any other group this returns at once. */
export async function waitUntilRunning(
  { store, closing }: ContainersJar,
  signal: AbortSignal,
  { id, properties, createdAt, changedAt }: Resource,
): Promise<Shown<Runtime> | undefined> {
  if (properties.isCreatedFromStandbyPool !== true || createdAt !== changedAt) return undefined;
  const key = id.toLowerCase();
  let runtime: Runtime | undefined;
  await awaitCommit({ store, collection: runtimes, ms: LONGEST_WAIT_MS, signals: [closing, signal] }, async () => {
    runtime = (await store.get(runtimes, key))?.value;
    return !runtime || !isTransitioning(runtime);
  });
  const resource = (await store.get(resources, key))?.value;
  return resource && { resource, companion: runtime };
}
