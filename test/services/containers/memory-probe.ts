import { SUBSCRIPTION } from '../../support/jars.ts';
import type { MemoryProbe } from '../../support/memory-probe.ts';

const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/container-probe`;
const PROVIDER = 'providers/Vendor.ContainerInstance';
const VERSION = 'api-version=2023-05-01';

/** A running group, which the engine has in memory, and its pulled image. */
export const probe: MemoryProbe = {
  service: 'containers',
  async remember(bench) {
    await bench.call('PUT', `${GROUP}?api-version=2021-04-01`, { body: { location: 'eastus' } });
    const resources = { requests: { cpu: 1, memoryInGB: 1 } };
    const containers = [{ name: 'probe', properties: { image: 'probe:1', resources } }];
    const body = { location: 'eastus', properties: { osType: 'Linux', containers } };
    await bench.call('PUT', `${GROUP}/${PROVIDER}/containerGroups/probe?${VERSION}`, { body });
    await bench.jar.settled();
  },
  async look(bench) {
    const ofSubscription = `/subscriptions/${SUBSCRIPTION}/${PROVIDER}`;
    const images = await bench.call('GET', `${ofSubscription}/locations/eastus/cachedImages?${VERSION}`);
    const logs = `${GROUP}/${PROVIDER}/containerGroups/probe/containers/probe/logs?${VERSION}`;
    return [images.body.value, (await bench.call('GET', logs)).status];
  },
};
