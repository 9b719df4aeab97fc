import type { EngineContext, EngineJar } from '../../../src/kernel/engines/context.ts';
import { simulatedCollections } from '../../../src/kernel/engines/simulated/collections.ts';
import type { Jar } from '../../../src/kernel/service/jar.ts';
import { type StartJarOptions, startJar, type TestJar } from '../../../src/testing/index.ts';
import { JarProbe } from '../../support/jar-probe.ts';

/** Options for opening an engine; by default for the jar's only owner of containers, in a jar that lives as long as its process. */
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

/** A running, empty jar, and the jar object that its services get. */
export async function openTestJar(options: StartJarOptions = {}): Promise<{ jar: Jar; running: TestJar }> {
  const probe = new JarProbe('containers');
  const running = await startJar({ services: [probe.service], ...options });
  return { jar: probe.jar, running };
}
