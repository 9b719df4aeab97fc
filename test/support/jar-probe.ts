import { MANAGEMENT } from '../../src/kernel/arm/family.ts';
import type { Jar } from '../../src/kernel/service/jar.ts';
import type { Service } from '../../src/kernel/service/service.ts';
import { wholeService } from './whole-service.ts';

/**
 * Gives a test the `Jar` that services receive, to access the store or a part of the kernel: add its `service` to the services of the jar.
 */
export class JarProbe {
  readonly service: Service;
  #jar: Jar | undefined;

  constructor(name = 'probe') {
    this.service = wholeService({
      name,
      title: 'Probe',
      family: MANAGEMENT,
      mounts: [],
      routes: [],
      open: async (jar) => {
        this.#jar = jar;
        return {};
      },
    });
  }

  /** The jar that was opened last. */
  get jar(): Jar {
    if (!this.#jar) throw new Error('no jar was opened with this probe');
    return this.#jar;
  }
}
