import { SUBSCRIPTION } from '../../support/jars.ts';
import type { MemoryProbe } from '../../support/memory-probe.ts';

const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/share-probe`;
const ACCOUNT = `${GROUP}/providers/Vendor.DataShare/accounts/probe`;
const VERSION = '?api-version=2021-08-01';

/** A share, which is read from the store's cache. */
export const probe: MemoryProbe = {
  service: 'datashare',
  async remember(bench) {
    await bench.call('PUT', `${GROUP}?api-version=2022-12-01`, { body: { location: 'eastus' } });
    const account = { location: 'eastus', identity: { type: 'SystemAssigned' } };
    await bench.call('PUT', ACCOUNT + VERSION, { body: account });
    await bench.call('PUT', `${ACCOUNT}/shares/probe${VERSION}`, { body: {} });
  },
  look: async (bench) => (await bench.call('GET', `${ACCOUNT}/shares/probe${VERSION}`)).status,
};
