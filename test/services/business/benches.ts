import type { Jar } from '../../../src/kernel/service/jar.ts';
import type { Service } from '../../../src/kernel/service/service.ts';
import type { BusinessJar } from '../../../src/services/business/jar.ts';
import { Drawings } from '../../../src/services/business/sample/drawings.ts';
import { SERVICES } from '../../../src/services.ts';
import type { StartJarOptions } from '../../../src/testing/index.ts';
import {
  type Bench,
  onAnyStore as onAnyStoreAnew,
  onBothStores as onBothStoresAnew,
  withJar as withJarAnew,
} from '../../support/jars.ts';

/**
 * The benches of `test/support/jars.ts` for tests that need a sample company and do not test how one is made: drawing it up costs more
 * than most tests do, and it follows from the model, the tenant, the seed and the time at which the jar begins. So the jars of a process
 * begin at the same time, and share what was drawn up, as one jar does over its resets.
 */
const START = new Date();
/** Custom APIs are part of a model, and every jar that has some has a model of its own. */
const drawingsOf = new WeakMap<object, Drawings>();

function sharing(service: Service): Service {
  if (service.name !== 'business') return service;
  const open = async (jar: Jar) => {
    const opened = await service.open(jar);
    const own = opened.jar as BusinessJar;
    const drawings = drawingsOf.get(own.model) ?? new Drawings();
    drawingsOf.set(own.model, drawings);
    const shared: BusinessJar = { ...own, drawings };
    return { ...opened, jar: shared };
  };
  return { ...service, open };
}

const shared = ({ services = SERVICES, ...options }: StartJarOptions): StartJarOptions => ({
  clockStart: START,
  ...options,
  services: services.map(sharing),
});

export const onBothStores = (title: string, tests: (bench: Bench) => void, options: StartJarOptions = {}): void =>
  onBothStoresAnew(title, tests, shared(options));

export const onAnyStore = (title: string, tests: (bench: Bench) => void, options: StartJarOptions = {}): void =>
  onAnyStoreAnew(title, tests, shared(options));

export const withJar = (tests: (bench: Bench) => void, options: StartJarOptions = {}): void =>
  withJarAnew(tests, shared(options));
