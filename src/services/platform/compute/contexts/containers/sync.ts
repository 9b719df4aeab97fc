import { type ContainerStatus, EngineUnavailable } from '../../../../../kernel/engines/index.ts';
import { eq, type Tx } from '../../../../../kernel/store/index.ts';
import { settle, workHandler } from '../../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../../jar.ts';
import { type ContextContainer, contextContainers, contexts } from '../../collections.ts';
import { SYNC_CONTEXT, workId } from '../../work.ts';
import { lockCluster, wakeContext } from '../wake.ts';
import { planOf } from './plan.ts';

/** Delay between attempts to reach an engine that does not respond. */
const ENGINE_AWAY_MS = 5000;
/** Fallback in case the engine does not report a change. */
const LOOK_AGAIN_MS = 60_000;

/** For transactions that create or remove a context, and for events of its container. */
export const syncContextSoon = (tx: Tx, { clock }: Pick<PlatformJar, 'clock'>, key: string): Promise<void> =>
  tx.wake(SYNC_CONTEXT.at(clock.now(), { key }, workId(SYNC_CONTEXT, key)));

/** Reconciles the container of a context: starts it, notices its end, and removes it when its context is gone. */
export const syncContext = workHandler(SYNC_CONTEXT, async (item, jar: PlatformJar, halt) => {
  const { key } = item.payload;
  let again: number | undefined;
  try {
    again = await look(jar, key, halt);
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    jar.log.warn(
      { err: error, context: key },
      'the container engine does not respond; the context will be checked again',
    );
    again = jar.clock.now() + ENGINE_AWAY_MS;
  }
  await settle(jar.store, item, async () => again);
});

async function look(jar: PlatformJar, key: string, halt: AbortSignal): Promise<number | undefined> {
  const { clock, engine, store } = jar;
  const container = (await store.get(contextContainers, key))?.value;
  if (!container) return undefined;
  const context = (await store.get(contexts, key))?.value;
  if (!context || context.status === 'Error') {
    jar.commandWatch.forget(key);
    await engine.remove(container.uid);
    await store.transact((tx) => tx.delete(contextContainers, key));
    return undefined;
  }
  const { status, again } = await engine.sync({
    plan: planOf(container),
    wanted: 'Running',
    generation: 1,
    keepSandbox: false,
    status: container.status,
    now: () => clock.now(),
    save: async (saved) => {
      await save(jar, key, { ...container, status: saved });
      return true;
    },
    keepLog: async () => {},
    halt,
  });
  await save(jar, key, { ...container, status });
  const isOver = await noteState(jar, key, status.containers[0]);
  return isOver ? clock.now() : Math.min(again ?? Number.POSITIVE_INFINITY, clock.now() + LOOK_AGAIN_MS);
}

/** If the context was removed meanwhile, the entry stays, so that the container is found and removed. */
const save = (jar: PlatformJar, key: string, container: ContextContainer): Promise<unknown> =>
  jar.store.transact((tx) => tx.put(contextContainers, key, container));

/** The context is running while its interpreter is, and is lost with it. Returns true once it is lost. */
async function noteState(jar: PlatformJar, key: string, status: ContainerStatus | undefined): Promise<boolean> {
  const { current } = status ?? {};
  if (current?.kind !== 'Running' && current?.kind !== 'Terminated') return false;
  return jar.store.transact(async (tx) => {
    await lockCluster(tx, key);
    const context = (await tx.get(contexts, key))?.value;
    if (!context) return true;
    if (current.kind === 'Running') {
      if (context.status !== 'Pending') return false;
      await tx.put(contexts, key, { ...context, status: 'Running' });
    } else {
      const problem = `The Python process exited with exit code ${current.exitCode} (${current.reason}).`;
      await tx.put(contexts, key, { ...context, status: 'Error', problem });
    }
    await wakeContext(tx, jar, key);
    return current.kind === 'Terminated';
  });
}

/** Wakes the reconciliation of the context whose container has changed. */
export async function wakeContextContainer(jar: PlatformJar, uid: string): Promise<void> {
  if (jar.closing.aborted) return;
  try {
    const [found] = (await jar.store.query(contextContainers, { filter: eq('uid', uid), limit: 1 })).items;
    if (found) await jar.store.transact((tx) => syncContextSoon(tx, jar, found.key));
  } catch (error) {
    if (!jar.closing.aborted) jar.log.warn({ err: error }, 'a context whose container has changed could not be woken');
  }
}
