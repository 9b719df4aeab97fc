import type { MemoryProbe } from '../../support/memory-probe.ts';
import { group } from './groups.ts';

/** A management group, which is read from the store's cache. */
export const probe: MemoryProbe = {
  service: 'management-groups',
  async remember(bench) {
    await bench.call('PUT', group('probe'), { body: {} });
    await bench.jar.settled();
  },
  look: async (bench) => (await bench.call('GET', group('probe'))).status,
};
