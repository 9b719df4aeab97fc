import { afterAll, type TestContext } from 'vitest';
import { openDocker } from '../../../src/kernel/engines/docker/index.ts';
import type { GroupPlan } from '../../../src/kernel/engines/plan.ts';
import type { EngineSettings } from '../../../src/kernel/engines/settings.ts';
import type { ContainerEngine, ContainerTarget, ObservedContainer } from '../../../src/kernel/engines/types.ts';
import type { Jar } from '../../../src/kernel/service/jar.ts';
import type { TestJar } from '../../../src/testing/index.ts';
import { usePodman } from '../../support/use-podman.ts';
import type { EngineBench } from './contract.ts';
import { engineContext, openTestJar } from './jar.ts';

let shared: Promise<{ jar: Jar; running: TestJar }> | undefined;
/** Engines shared by the tests of a file, by their settings. */
const sharedEngines = new Map<string, Promise<ContainerEngine>>();

/** Must be called once by a file that uses an engine. */
export function closeJarAfterwards(): void {
  afterAll(async () => {
    for (const engine of sharedEngines.values()) await (await engine).close();
    sharedEngines.clear();
    await (await shared)?.running.close();
    shared = undefined;
  });
}

/** The jar of the test file. */
export function testJar(): Promise<{ jar: Jar; running: TestJar }> {
  shared ??= openTestJar();
  return shared;
}

export interface DockerBench extends EngineBench {
  readonly socket: string;
}

/** An engine on the test run's Podman; its objects are removed at the end. */
export async function openBench(
  context: Pick<TestContext, 'skip'>,
  settings: EngineSettings = {},
): Promise<DockerBench> {
  const { open, ...bench } = await opener(context, settings);
  return { ...bench, engine: await open() };
}

/**
 * Like `openBench`, but with one engine for all tests of the file with the same settings; `dispose` removes its groups and keeps the
 * engine. Opening an engine makes Podman search the package database: a quarter of a second of processor time.
 */
export async function openSharedBench(
  context: Pick<TestContext, 'skip'>,
  settings: EngineSettings = {},
): Promise<DockerBench> {
  const { open: _, ...bench } = await opener(context, settings);
  const key = JSON.stringify(settings);
  const opening = sharedEngines.get(key) ?? openEngine(bench.socket, settings);
  sharedEngines.set(key, opening);
  const engine = await opening;
  return {
    ...bench,
    engine,
    async dispose() {
      await bench.dispose();
      await Promise.all((await engine.uids()).map((uid) => engine.removeGroup(uid)));
    },
  };
}

async function openEngine(socket: string, settings: EngineSettings, owner?: string): Promise<ContainerEngine> {
  const { jar } = await testJar();
  return openDocker(engineContext(jar, { settings, owner: owner ?? jar.id }), socket);
}

/** A bench without its engine. `dispose` closes the engines that were opened through it. */
async function opener(context: Pick<TestContext, 'skip'>, settings: EngineSettings) {
  const socket = await usePodman(context);
  const opened: ContainerEngine[] = [];
  const open = async (owner?: string): Promise<ContainerEngine> => {
    const engine = await openEngine(socket, settings, owner);
    opened.push(engine);
    return engine;
  };
  return {
    socket,
    open,
    reopen: () => open(),
    openFor: open,
    pass: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    async dispose() {
      for (const engine of opened) await engine.close();
    },
  };
}

const DEADLINE_MS = 120_000;
/** Each poll lists containers, which costs Podman processor time. */
const POLL_MS = 100;

/** Polls until there is a result. */
export async function eventually<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error('it takes too long');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Creates the group's sandbox and starts its containers, in order. */
export async function deploy(engine: ContainerEngine, plan: GroupPlan): Promise<ContainerTarget[]> {
  await engine.createSandbox(plan, 1, HALT);
  const targets: ContainerTarget[] = [];
  for (const container of plan.containers) {
    const { engineId } = await engine.startContainer(plan, container, { generation: 1, run: 1 });
    targets.push({ uid: plan.uid, container: container.name, engineId });
  }
  return targets;
}

export const HALT = new AbortController().signal;

export function ended(engine: ContainerEngine, { uid, engineId }: ContainerTarget): Promise<ObservedContainer> {
  return eventually(async () => {
    const seen = (await engine.observe(uid)).containers.find((it) => it.engineId === engineId);
    return seen?.phase === 'exited' && seen;
  });
}

/** The whole output of the group's only container. */
export async function outputOf(engine: ContainerEngine, plan: GroupPlan): Promise<string> {
  const [target] = await deploy(engine, plan);
  await ended(engine, target!);
  return (await engine.logs(target!, { timestamps: false, maxBytes: 100_000 })).toString();
}
