import { SUBSCRIPTION } from '../../support/jars.ts';
import type { MemoryProbe } from '../../support/memory-probe.ts';

const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/bell-probe`;

/** A bell that rings, which the node counts in memory. */
export const probe: MemoryProbe = {
  service: 'bells',
  async remember(bench) {
    const { jar } = bench;
    await bench.call('PUT', `${GROUP}?api-version=2021-04-01`, { body: { location: 'eastus' } });
    const properties = { ringsAt: jar.clock.now().toISOString(), url: jar.inbox('probe').httpsUrl };
    const bell = `${GROUP}/providers/Vendor.Bells/bells/probe?api-version=2026-01-01`;
    await bench.call('PUT', bell, { body: { location: 'eastus', properties } });
    await jar.settled();
  },
  async look(bench) {
    return (await bench.call('GET', '/_jar/bells/rings', { token: bench.jar.adminKey })).body.heardHere;
  },
};
