import { MANAGEMENT } from '../../../../src/kernel/arm/family.ts';
import { simulatedCollections } from '../../../../src/kernel/engines/simulated/collections.ts';
import { openSimulated } from '../../../../src/kernel/engines/simulated/index.ts';
import type { ContainerEngine } from '../../../../src/kernel/engines/types.ts';
import type { Jar } from '../../../../src/kernel/service/jar.ts';
import { type StartJarOptions, startJar, type TestJar } from '../../../../src/testing/index.ts';
import { wholeService } from '../../../support/whole-service.ts';
import { engineContext } from '../jar.ts';

export interface SimulatedBench {
  readonly jar: Jar;
  readonly running: TestJar;
  readonly engine: ContainerEngine;
  reopen(): Promise<ContainerEngine>;
  openFor(owner: string): Promise<ContainerEngine>;
  pass(ms: number): Promise<void>;
  dispose(): Promise<void>;
}

export const COLLECTIONS = simulatedCollections('containers');
const OTHER_COLLECTIONS = simulatedCollections('others');

/** A simulated engine without its supervisor, on a jar with a frozen clock. */
export async function openSimulatedBench(options: StartJarOptions = {}): Promise<SimulatedBench> {
  let handed: Jar | undefined;
  const service = wholeService({
    name: 'containers',
    title: 'The simulated engine',
    family: MANAGEMENT,
    mounts: [],
    routes: [],
    collections: [...Object.values(COLLECTIONS), ...Object.values(OTHER_COLLECTIONS)],
    async open(jar) {
      handed = jar;
      return { close: async () => {} };
    },
  });
  const running = await startJar({ services: [service], ...options });
  const jar = handed as Jar;
  const open = (): Promise<ContainerEngine> => openSimulated(engineContext(jar, { simulated: COLLECTIONS }));
  const engine = await open();
  return {
    jar,
    running,
    engine,
    reopen: open,
    openFor: (owner) => openSimulated(engineContext(jar, { owner, simulated: OTHER_COLLECTIONS })),
    async pass(ms) {
      await running.clock.advance(ms);
    },
    dispose: () => running.close(),
  };
}
