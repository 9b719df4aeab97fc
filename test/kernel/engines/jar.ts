import { MANAGEMENT } from '../../../src/kernel/arm/family.ts';
import type { EngineContext, EngineJar } from '../../../src/kernel/engines/context.ts';
import { simulatedCollections } from '../../../src/kernel/engines/simulated/collections.ts';
import type { Jar } from '../../../src/kernel/service/jar.ts';
import { type StartJarOptions, startJar, type TestJar } from '../../../src/testing/index.ts';
import { wholeService } from '../../support/whole-service.ts';

/** What an engine is opened with: for the jar's only owner of containers, in a jar that lives as long as its process, unless said. */
export function engineContext(jar: EngineJar & Pick<Jar, 'id'>, changes: Partial<EngineContext> = {}): EngineContext {
  return {
    jar,
    owner: jar.id,
    settings: {},
    settingsPath: 'services.containers',
    simulated: simulatedCollections('containers'),
    lifetime: 'process',
    ...changes,
  };
}

/** A started jar with one service, which hands out what services are handed. */
export async function openTestJar(options: StartJarOptions = {}): Promise<{ jar: Jar; running: TestJar }> {
  let handed: Jar | undefined;
  const service = wholeService({
    name: 'containers',
    title: 'What services are handed',
    family: MANAGEMENT,
    mounts: [],
    routes: [],
    open(jar) {
      handed = jar;
      return Promise.resolve({ close: () => Promise.resolve() });
    },
  });
  const running = await startJar({ services: [service], ...options });
  return { jar: handed!, running };
}
