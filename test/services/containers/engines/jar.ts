import { MANAGEMENT } from '../../../../src/kernel/arm/family.ts';
import type { Jar } from '../../../../src/kernel/jar-context.ts';
import { wholeService } from '../../../../src/kernel/whole-service.ts';
import { type StartJarOptions, startJar, type TestJar } from '../../../../src/testing/index.ts';

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
