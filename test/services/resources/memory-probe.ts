import { SUBSCRIPTION } from '../../support/jars.ts';
import type { MemoryProbe } from '../../support/memory-probe.ts';

const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/probe?api-version=2022-12-01`;

/** A resource group, which is read from the store's cache. */
export const probe: MemoryProbe = {
  service: 'resources',
  async remember(bench) {
    await bench.call('PUT', GROUP, { body: { location: 'westeurope' } });
  },
  look: async (bench) => (await bench.call('GET', GROUP)).status,
};
