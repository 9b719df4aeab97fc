const VERSION = '2023-05-01';

/** @param {string} name @param {string} image @param {object} [more] */
const container = (name, image, more = {}) => ({
  name,
  properties: { image, resources: { requests: { cpu: 1, memoryInGB: 1 } }, ...more },
});

/**
 * A group that works, and one whose container crashes again and again.
 * @param {import('../../../src/testing/index.ts').TestJar} jar
 * @param {import('./client.mjs').Client} ask
 */
export async function runContainers(jar, ask) {
  const groups = {
    storefront: [
      container('web', 'busybox', { command: ['sh', '-c', 'echo listening on port 8080; sleep infinity'] }),
      container('cache', 'busybox', { command: ['sh', '-c', 'echo ready; sleep infinity'] }),
    ],
    importer: [
      container('import', 'simulated/crash:20s'),
      container('log', 'busybox', { command: ['sh', '-c', 'sleep infinity'] }),
    ],
  };
  for (const [name, containers] of Object.entries(groups)) {
    const path = `/providers/Vendor.ContainerInstance/containerGroups/${name}`;
    const properties = { osType: 'Linux', restartPolicy: 'Always', containers };
    await ask.group('shop', 'PUT', path, { location: 'westeurope', properties }, VERSION);
  }
  await jar.settled();
  await jar.clock.advance('4m');
}
