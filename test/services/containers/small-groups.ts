import { expect } from 'vitest';
import { type Bench, type Reply, SUBSCRIPTION } from '../../support/jars.ts';

const API = 'api-version=2023-05-01';
const GROUP = 'shop';

export const groupPath = (name: string, action = '', group = GROUP): string =>
  `/subscriptions/${SUBSCRIPTION}/resourceGroups/${group}/providers/Vendor.ContainerInstance/containerGroups/${name}${action}?${API}`;

type Document = Record<string, unknown>;

/** A container with small requests, as in a body. */
export const container = (name: string, image: string, more: Document = {}): Document => ({
  name,
  properties: { image, resources: { requests: { cpu: 1, memoryInGB: 1 } }, ...more },
});

export const groupBody = (containers: Document[], more: Document = {}): Document => ({
  location: 'eastus',
  properties: { osType: 'Linux', restartPolicy: 'Always', containers, ...more },
});

export async function makeResourceGroup(bench: Bench, name = GROUP): Promise<void> {
  const path = `/subscriptions/${SUBSCRIPTION}/resourcegroups/${name}?api-version=2021-04-01`;
  const reply = await bench.call('PUT', path, { body: { location: 'eastus' } });
  expect(reply.status).toBeLessThan(300);
}

/** Creates a group and returns it when no work is left. */
export async function putGroup(bench: Bench, name: string, body: Document): Promise<Reply> {
  const put = await bench.call('PUT', groupPath(name), { body });
  expect([put.status, put.body.error]).toEqual([expect.toBeOneOf([200, 201]), undefined]);
  await bench.jar.settled();
  return bench.call('GET', groupPath(name));
}
