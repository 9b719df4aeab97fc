import type { Jar } from '../../../src/kernel/service/jar.ts';
import type { Service } from '../../../src/kernel/service/service.ts';
import type { BusinessJar } from '../../../src/services/business/jar.ts';
import { CompanyCache } from '../../../src/services/business/sample/company-cache.ts';
import { SERVICES } from '../../../src/services.ts';
import type { StartJarOptions } from '../../../src/testing/index.ts';
import {
  type Bench,
  onAnyStore as onAnyStoreAnew,
  onBothStores as onBothStoresAnew,
  withJar as withJarAnew,
} from '../../support/jars.ts';

/**
 * The benches of `test/support/jars.ts`, for tests that need a sample company but do not test its creation, which takes longer than most
 * tests. A sample company depends on the model, the tenant, the seed and the start time of the jar. Therefore all jars of a process start
 * at the same time and share the cache of sample companies, as one jar does across resets.
 */
const START = new Date();
/** Custom APIs are part of a model, so every jar with custom APIs has a model of its own. */
const drawingsOf = new WeakMap<object, CompanyCache>();

function sharing(service: Service): Service {
  if (service.name !== 'business') return service;
  const open = async (jar: Jar) => {
    const opened = await service.open(jar);
    const own = opened.jar as BusinessJar;
    const companyCache = drawingsOf.get(own.model) ?? new CompanyCache();
    drawingsOf.set(own.model, companyCache);
    const shared: BusinessJar = { ...own, companyCache };
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
