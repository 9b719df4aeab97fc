import { MANAGEMENT } from '../../../../../src/kernel/arm/family.ts';
import type { Jar } from '../../../../../src/kernel/jar-context.ts';
import { wholeService } from '../../../../../src/kernel/whole-service.ts';
import { simulatedCollections } from '../../../../../src/services/containers/engines/simulated/collections.ts';
import { openSimulated } from '../../../../../src/services/containers/engines/simulated/index.ts';
import type { ContainerEngine } from '../../../../../src/services/containers/engines/types.ts';
import { type StartJarOptions, startJar, type TestJar } from '../../../../../src/testing/index.ts';

export interface SimulatedBench {
  readonly jar: Jar;
  readonly running: TestJar;
  readonly engine: ContainerEngine;
  reopen(): Promise<ContainerEngine>;
  pass(ms: number): Promise<void>;
  dispose(): Promise<void>;
}

/** The simulated engine alone, on a jar whose clock stands still. */
export async function openSimulatedBench(options: StartJarOptions = {}): Promise<SimulatedBench> {
  let handed: Jar | undefined;
  const service = wholeService({
    name: 'containers',
    title: 'The simulated engine',
    family: MANAGEMENT,
    mounts: [],
    routes: [],
    collections: [...simulatedCollections],
    async open(jar) {
      handed = jar;
      return { close: async () => {} };
    },
  });
  const running = await startJar({ services: [service], ...options });
  const jar = handed as Jar;
  const open = (): Promise<ContainerEngine> => openSimulated({ jar, settings: {}, lifetime: 'process' });
  const engine = await open();
  return {
    jar,
    running,
    engine,
    reopen: open,
    async pass(ms) {
      await running.clock.advance(ms);
    },
    dispose: () => running.close(),
  };
}
