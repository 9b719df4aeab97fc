import { EngineUnavailable, type GroupPlan } from '../../../../kernel/engines/index.ts';
import { eq, SLICE } from '../../../../kernel/store/index.ts';
import { MINUTE_MS } from '../../../../kernel/time/index.ts';
import { settle, workHandler } from '../../../../kernel/work/index.ts';
import type { WorkspacePurge } from '../../accounts/purge.ts';
import { programPlan } from '../../compute/program-plan.ts';
import type { PlatformJar } from '../../jar.ts';
import { endpointKey, type ModelContainer, modelContainers, servingEndpoints } from '../collections.ts';
import { SYNC_MODEL } from '../work.ts';
import { syncModelSoon } from './new-containers.ts';

/** Interval between attempts to reach an engine that does not respond. */
const ENGINE_AWAY_MS = 5000;
/** Fallback interval; reports of the engine wake the work sooner. */
const LOOK_AGAIN_MS = 10 * MINUTE_MS;
const NAME = 'model';

/** Synchronises the container of an entity: starts it, restarts it when it has ended, and removes it once no configuration uses it. */
export const syncModel = workHandler(SYNC_MODEL, async (item, jar: PlatformJar, halt) => {
  const { key } = item.payload;
  let again: number | undefined;
  try {
    again = await syncOnce(jar, key, halt);
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    jar.log.warn({ err: error, model: key }, 'the container engine does not respond; the model is checked again');
    again = jar.clock.now() + ENGINE_AWAY_MS;
  }
  await settle(jar.store, item, async () => again);
});

async function syncOnce(jar: PlatformJar, key: string, halt: AbortSignal): Promise<number | undefined> {
  const { clock, engine, store } = jar;
  const container = (await store.get(modelContainers, key))?.value;
  if (!container) return undefined;
  if (!(await isNeeded(jar, key, container))) {
    await engine.remove(container.uid);
    await store.transact((tx) => tx.delete(modelContainers, key));
    return undefined;
  }
  const save = (status: ModelContainer['status']): Promise<unknown> =>
    store.transact((tx) => tx.put(modelContainers, key, { ...container, status }));
  const { status, again } = await engine.sync({
    plan: planOf(jar, key, container),
    wanted: 'Running',
    generation: 1,
    keepSandbox: false,
    status: container.status,
    now: () => clock.now(),
    save: async (saved) => {
      await save(saved);
      return true;
    },
    keepLog: async () => {},
    halt,
  });
  await save(status);
  return Math.min(again ?? Number.POSITIVE_INFINITY, clock.now() + LOOK_AGAIN_MS);
}

/** Returns true if the configuration in force or the one being deployed uses the container. */
async function isNeeded({ store }: PlatformJar, key: string, { endpoint, version }: ModelContainer): Promise<boolean> {
  const [workspaceId = '', id] = key.split('/');
  const found = (await store.get(servingEndpoints, endpointKey(workspaceId, endpoint)))?.value;
  if (!found || found.id !== id) return false;
  const isPending = found.update === 'IN_PROGRESS' && found.pending?.version === version;
  return isPending || found.config?.version === version;
}

function planOf({ vault }: PlatformJar, key: string, container: ModelContainer): GroupPlan {
  const { uid, image, port, command, sealed } = container;
  const ports = [{ port, protocol: 'TCP' }] as const;
  const plan = programPlan({
    uid,
    resourceId: `/serving-endpoints/${key}`,
    name: `model-${uid}`,
    container: NAME,
    image,
    command: command === undefined ? undefined : ['/bin/sh', '-c', command],
    files: {},
    environment: { PORT: String(port), ...(JSON.parse(vault.open(sealed)) as Record<string, string>) },
  });
  return {
    ...plan,
    restartPolicy: 'Always',
    containers: plan.containers.map((each) => ({ ...each, ports })),
    network: { address: 'Public', ports, dns: undefined },
  };
}

/** Schedules a check of an entity after an event of its container. */
export async function wakeModelContainer(jar: PlatformJar, uid: string): Promise<void> {
  if (jar.closing.aborted) return;
  try {
    const [found] = (await jar.store.query(modelContainers, { filter: eq('uid', uid), limit: 1 })).items;
    if (found) await jar.store.transact((tx) => syncModelSoon(tx, jar, found.key));
  } catch (error) {
    if (!jar.closing.aborted) jar.log.warn({ err: error }, 'a model whose container has changed could not be checked');
  }
}

/** For a deleted workspace: the scheduled work removes containers without an endpoint. */
export const purgeModelContainers: WorkspacePurge = (jar, { id }) => {
  let last: string | undefined;
  return () =>
    jar.store.transact(async (tx) => {
      const after = last === undefined ? {} : { after: [last] };
      const { items } = await tx.query(modelContainers, {
        prefix: `${id}/`,
        order: [{ field: 'key' }],
        limit: SLICE,
        ...after,
      });
      for (const { key } of items) await syncModelSoon(tx, jar, key);
      last = items.at(-1)?.key;
      return items.length === SLICE;
    });
};
