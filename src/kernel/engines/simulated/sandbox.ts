import { createHash } from 'node:crypto';
import { readAll } from '../../store/walk.ts';
import type { GroupPlan } from '../plan.ts';
import { MountProblem } from '../types.ts';
import { behaviourOf } from './behaviour.ts';
import type { SimulatedSandbox } from './collections.ts';
import type { SimulatedContext } from './context.ts';

const PAGE = 500;

/** Removes the sandbox of an earlier deployment first. */
export async function createSandbox(
  context: SimulatedContext,
  plan: GroupPlan,
  generation: number,
): Promise<{ ip: string | undefined }> {
  checkVolumes(plan);
  const { uid } = plan;
  const { store, sandboxes } = context;
  const stored = await store.get(sandboxes, uid);
  if (stored?.value.generation === generation) return { ip: stored.value.ip };
  if (stored) await removeGroup(context, uid);
  const sandbox: SimulatedSandbox = { uid, generation, ip: addressOf(plan) };
  await store.transact((tx) => tx.put(sandboxes, uid, sandbox));
  return { ip: sandbox.ip };
}

export function checkVolumes(plan: GroupPlan): void {
  const spoiler = [...plan.init, ...plan.containers].find(({ image }) => behaviourOf(image, 1).noMount);
  if (!spoiler) return;
  const volume = plan.volumes[0]?.name ?? 'none';
  throw new MountProblem(`the volume '${volume}' cannot be mounted: the image '${spoiler.image}' simulates this`);
}

/** Derived from the uid. Public addresses are in the benchmarking range 198.18.0.0/15, which no host uses. */
function addressOf({ uid, network }: GroupPlan): string | undefined {
  if (network.address === 'None') return undefined;
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(uid).digest();
  const last = (c % 254) + 1;
  return network.address === 'Public' ? `198.${18 + (a & 1)}.${b}.${last}` : `10.${a}.${b}.${last}`;
}

/** Deletes the sandbox in the same transaction as the last containers, so that none can be started in between and stay behind. */
export async function removeGroup({ store, containers, sandboxes }: SimulatedContext, uid: string): Promise<void> {
  for (;;) {
    const left = await store.transact(async (tx) => {
      const { items, next } = await tx.query(containers, { prefix: `${uid}/`, limit: PAGE });
      for (const { key } of items) await tx.delete(containers, key);
      if (!next) await tx.delete(sandboxes, uid);
      return next !== undefined;
    });
    if (!left) return;
  }
}

export async function uids({ store, sandboxes }: SimulatedContext): Promise<string[]> {
  return (await readAll(store, sandboxes)).map(({ key }) => key);
}
