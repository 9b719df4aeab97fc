import type { MemoryProbe } from '../../support/memory-probe.ts';

const POLICY = '/providers/Vendor.Subscription/policies/default?api-version=2021-10-01';

/** The policy of the tenant, which is read from the store's cache. */
export const probe: MemoryProbe = {
  service: 'subscriptions',
  async remember(bench) {
    await bench.call('PUT', POLICY, { body: { blockSubscriptionsLeavingTenant: true } });
  },
  look: async (bench) => (await bench.call('GET', POLICY)).body.properties.blockSubscriptionsLeavingTenant,
};
