import type { Jar } from '../../../../kernel/jar-context.ts';
import type { EngineContext } from '../context.ts';
import { type ContainerEngine, type ContainerTarget, EngineUnavailable } from '../types.ts';
import { containers as collection, type SimulatedContainer } from './collections.ts';
import { observe, openInside, removeContainer, runsOf, startContainer, stopContainer } from './containers.ts';
import { cachedImages, ensureImage } from './images.ts';
import type { Inside } from './inside.ts';
import { logOf } from './logs.ts';
import { OpenTerminals } from './open-terminals.ts';
import { lastsUntil, probeOf } from './probe.ts';
import { checkVolumes, createSandbox, removeGroup, uids } from './sandbox.ts';
import { isRunningAt } from './state.ts';
import { attachTerminal, execTerminal } from './terminal.ts';
import { filesOf, sharedFiles } from './volumes.ts';

/**
 * Containers that run in the store and on the jar's clock alone, for machines without an engine and for tests. What a container
 * does follows from its image's name and its command; docs/containers-engines.md has the list.
 */
export async function openSimulated({ jar }: EngineContext): Promise<ContainerEngine> {
  const listeners = new Set<(uid: string) => void>();
  const terminals = new OpenTerminals(jar.clock);
  return {
    name: 'simulated',
    description: 'simulated containers',
    ensureImage: (image, registries) => ensureImage(jar, image, registries),
    createSandbox: (plan, generation) => createSandbox(jar, plan, generation),
    addVolumes: async (plan) => checkVolumes(plan),
    startContainer: (plan, container, run) => startContainer(jar, plan, container, run),
    async stopContainer(engineId) {
      await stopContainer(jar, engineId);
      terminals.end(engineId);
    },
    async removeContainer(engineId) {
      await removeContainer(jar, engineId);
      terminals.end(engineId);
    },
    observe: (uid) => observe(jar, uid),
    async probe(target, check, timeoutMs) {
      const container = await containerOf(jar, target);
      const now = jar.clock.now();
      if (!isRunningAt(container, now)) return { healthy: false, reason: 'the container is not running' };
      const inside = check.kind === 'exec' ? await insideNow(jar, container) : openInside(jar, container);
      const outcome = probeOf(container, inside, check, { now, timeoutMs });
      const until = lastsUntil(container, openInside(jar, container), check, now);
      return until === undefined ? outcome : { ...outcome, until };
    },
    async removeGroup(uid) {
      await removeGroup(jar, uid);
      terminals.endGroup(uid);
    },
    uids: () => uids(jar),
    async logs(target, options) {
      const container = await containerOf(jar, target);
      return logOf(container, openInside(jar, container), jar.clock.now(), options);
    },
    async exec(target, options) {
      const container = await runningOf(jar, target);
      const kill = async (): Promise<void> => {
        if (!(await stopContainer(jar, target.engineId))) return;
        terminals.end(target.engineId);
        for (const listener of listeners) listener(target.uid);
      };
      const terminal = execTerminal({ jar, inside: await insideNow(jar, container), options, kill });
      return terminals.add(target.engineId, container.end?.at, terminal);
    },
    async attach(target) {
      const container = await runningOf(jar, target);
      const terminal = attachTerminal({ jar, container, inside: openInside(jar, container) });
      return terminals.add(target.engineId, undefined, terminal);
    },
    // Whatever happens to a container by itself, `observe` has said when; the rest is what somebody did in a terminal.
    async watch(listener) {
      listeners.add(listener);
      return { close: () => void listeners.delete(listener) };
    },
    cachedImages: () => cachedImages(jar),
    async close() {
      listeners.clear();
      terminals.endAll();
    },
  };
}

async function containerOf(jar: Jar, { engineId, container }: ContainerTarget): Promise<SimulatedContainer> {
  const stored = await jar.store.get(collection, engineId);
  if (!stored) throw new EngineUnavailable(`the container '${container}' is no longer there`);
  return stored.value;
}

async function runningOf(jar: Jar, target: ContainerTarget): Promise<SimulatedContainer> {
  const container = await containerOf(jar, target);
  if (!isRunningAt(container, jar.clock.now())) {
    throw new EngineUnavailable(`the container '${target.container}' is not running`);
  }
  return container;
}

/** With the files as the process, and others that have volumes in common with it, have made them by now. */
async function insideNow(jar: Jar, container: SimulatedContainer): Promise<Inside> {
  const inside = openInside(jar, container);
  const now = jar.clock.now();
  const files = Object.fromEntries(filesOf(container, inside, now));
  if (Object.keys(inside.shared).length === 0) return { ...inside, files };
  const shared = sharedFiles(jar, inside.shared, await runsOf(jar, container.uid), now);
  const places = Object.keys(inside.shared).map((place) => `${place}/`);
  const isShared = (path: string): boolean => places.some((place) => path.startsWith(place) && path !== place);
  const own = Object.fromEntries(Object.entries(files).filter(([path]) => !isShared(path)));
  return { ...inside, files: { ...own, ...shared } };
}
