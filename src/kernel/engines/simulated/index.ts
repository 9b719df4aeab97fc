import type { EngineContext } from '../context.ts';
import { supervise } from '../supervisor/supervisor.ts';
import { type ContainerEngine, type ContainerTarget, EngineUnavailable, type GroupEngine } from '../types.ts';
import type { SimulatedContainer } from './collections.ts';
import { observe, openInside, removeContainer, runsOf, startContainer, stopContainer } from './containers.ts';
import type { SimulatedContext } from './context.ts';
import { cachedImages, ensureImage, imageReference } from './images.ts';
import type { Inside } from './inside.ts';
import { logOf } from './logs.ts';
import { OpenTerminals } from './open-terminals.ts';
import { outcomeValidUntil, probeOf } from './probe.ts';
import { checkVolumes, createSandbox, removeGroup, uids } from './sandbox.ts';
import { isRunningAt } from './state.ts';
import { attachTerminal, execTerminal } from './terminal.ts';
import { filesOf, sharedFiles } from './volumes.ts';

/** Groups of simulated containers. */
export async function openSimulatedGroups(context: EngineContext): Promise<GroupEngine> {
  return supervise(await openSimulated(context), context);
}

/**
 * Containers that exist only in the store and on the jar's clock, for machines without an engine and for tests. The image's name and the
 * command decide how a container behaves; see docs/services/containers-engines.md.
 */
export async function openSimulated({ jar, simulated }: EngineContext): Promise<ContainerEngine> {
  const { store, clock, vault } = jar;
  const context: SimulatedContext = { store, clock, vault, ...simulated };
  const listeners = new Set<(uid: string) => void>();
  const terminals = new OpenTerminals(clock);
  return {
    name: 'simulated',
    description: 'simulated containers',
    ensureImage: (image, registries) => ensureImage(context, image, registries),
    imageReference: async (image) => imageReference(image),
    createSandbox: (plan, generation) => createSandbox(context, plan, generation),
    addVolumes: async (plan) => checkVolumes(plan),
    startContainer: (plan, container, run) => startContainer(context, plan, container, run),
    async stopContainer(engineId) {
      await stopContainer(context, engineId);
      terminals.end(engineId);
    },
    async removeContainer(engineId) {
      await removeContainer(context, engineId);
      terminals.end(engineId);
    },
    observe: (uid) => observe(context, uid),
    async probe(target, check, timeoutMs) {
      const container = await containerOf(context, target);
      const now = clock.now();
      if (!isRunningAt(container, now)) return { healthy: false, reason: 'the container is not running' };
      const inside = check.kind === 'exec' ? await insideNow(context, container) : openInside(context, container);
      const outcome = probeOf(container, inside, check, { now, timeoutMs });
      const until = outcomeValidUntil(container, openInside(context, container), check, now);
      return until === undefined ? outcome : { ...outcome, until };
    },
    async removeGroup(uid) {
      await removeGroup(context, uid);
      terminals.endGroup(uid);
    },
    uids: () => uids(context),
    async logs(target, options) {
      const container = await containerOf(context, target);
      return logOf(container, openInside(context, container), clock.now(), options);
    },
    async exec(target, options) {
      const container = await runningOf(context, target);
      const kill = async (): Promise<void> => {
        if (!(await stopContainer(context, target.engineId))) return;
        terminals.end(target.engineId);
        for (const listener of listeners) listener(target.uid);
      };
      const terminal = execTerminal({ clock, inside: await insideNow(context, container), options, kill });
      return terminals.add(target.engineId, container.end?.at, terminal);
    },
    async attach(target) {
      const container = await runningOf(context, target);
      const terminal = attachTerminal({ clock, container, inside: openInside(context, container) });
      return terminals.add(target.engineId, undefined, terminal);
    },
    // `observe` forecasts all changes of a container except those caused by a command in a terminal.
    async watch(listener) {
      listeners.add(listener);
      return { close: () => void listeners.delete(listener) };
    },
    cachedImages: () => cachedImages(context),
    async close() {
      listeners.clear();
      terminals.endAll();
    },
  };
}

async function containerOf(
  context: SimulatedContext,
  { engineId, container }: ContainerTarget,
): Promise<SimulatedContainer> {
  const stored = await context.store.get(context.containers, engineId);
  if (!stored) throw new EngineUnavailable(`the container '${container}' no longer exists`);
  return stored.value;
}

async function runningOf(context: SimulatedContext, target: ContainerTarget): Promise<SimulatedContainer> {
  const container = await containerOf(context, target);
  if (!isRunningAt(container, context.clock.now())) {
    throw new EngineUnavailable(`the container '${target.container}' is not running`);
  }
  return container;
}

/** The inside of a container with its current files, including changes that other containers made in shared volumes. */
async function insideNow(context: SimulatedContext, container: SimulatedContainer): Promise<Inside> {
  const inside = openInside(context, container);
  const now = context.clock.now();
  const files = Object.fromEntries(filesOf(container, inside, now));
  if (Object.keys(inside.shared).length === 0) return { ...inside, files };
  const shared = sharedFiles(context, inside.shared, await runsOf(context, container.uid), now);
  const places = Object.keys(inside.shared).map((place) => `${place}/`);
  const isShared = (path: string): boolean => places.some((place) => path.startsWith(place) && path !== place);
  const own = Object.fromEntries(Object.entries(files).filter(([path]) => !isShared(path)));
  return { ...inside, files: { ...own, ...shared } };
}
