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

/** To be called once by a file that uses an engine. */
export function closeJarAfterwards(): void {
  afterAll(async () => {
    await (await shared)?.running.close();
    shared = undefined;
  });
}

/** The jar of the file. */
export function testJar(): Promise<{ jar: Jar; running: TestJar }> {
  shared ??= openTestJar();
  return shared;
}

/** An engine on the run's Podman; what it has made is removed at the end. */
export async function openBench(
  context: Pick<TestContext, 'skip'>,
  settings: EngineSettings = {},
): Promise<EngineBench & { readonly socket: string }> {
  const socket = await usePodman(context);
  const { jar } = await testJar();
  const opened: ContainerEngine[] = [];
  const open = async (owner = jar.id): Promise<ContainerEngine> => {
    const engine = await openDocker(engineContext(jar, { settings, owner }), socket);
    opened.push(engine);
    return engine;
  };
  return {
    socket,
    engine: await open(),
    reopen: () => open(),
    openFor: open,
    pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    async dispose() {
      for (const engine of opened) await engine.close();
    },
  };
}

const DEADLINE_MS = 120_000;

/** Asks again and again until there is an answer. */
export async function eventually<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error('it takes too long');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Makes the group's place and starts its containers, in order. */
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

/** What the group's only container prints until it ends. */
export async function outputOf(engine: ContainerEngine, plan: GroupPlan): Promise<string> {
  const [target] = await deploy(engine, plan);
  await ended(engine, target!);
  return (await engine.logs(target!, { timestamps: false, maxBytes: 100_000 })).toString();
}
