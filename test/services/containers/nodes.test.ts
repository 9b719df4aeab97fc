import { expect, onTestFinished, test } from 'vitest';
import { startJar } from '../../../src/testing/index.ts';
import { SUBSCRIPTION } from '../../support/jars.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';
import { container, groupBody, groupPath } from './small-groups.ts';

const NAMES = Array.from({ length: 8 }, (_, index) => `g${index}`);
const IMAGES = ['nginx', 'simulated/missing', 'simulated/exit:0', 'simulated/crash'] as const;
const SKUS = ['Standard', 'Dedicated'] as const;
const ROUNDS = process.env.CLOUDJAR_SOAK === '1' ? 12 : 8;
const AT_ONCE = 16;

/** Reproducible random numbers. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

test('two nodes that are asked for everything at once agree on what is there', async ({ skip }) => {
  const databaseUrl = await usePostgresDatabase({ skip }, 'container_nodes');
  const secretKey = Buffer.alloc(32, 7).toString('base64url');
  const nodes = [await startJar({ databaseUrl, secretKey }), await startJar({ databaseUrl, secretKey })] as const;
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.close()));
  });
  const token = await nodes[0].token({ ttl: '30d' });
  const call = async (node: number, method: string, path: string, body?: unknown) => {
    const response = await fetch((nodes[node] ?? nodes[0]).url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const subscription = `/subscriptions/${SUBSCRIPTION}`;
  const resourceGroup = `${subscription}/resourcegroups/shop?api-version=2021-04-01`;
  expect((await call(0, 'PUT', resourceGroup, { location: 'eastus' })).status).toBe(201);

  const roll = dice(42);
  const oneCall = () => {
    const name = NAMES[roll(NAMES.length)] as string;
    const body = groupBody([container('app', IMAGES[roll(IMAGES.length)] as string)], { sku: SKUS[roll(SKUS.length)] });
    const node = roll(2);
    const kind = roll(10);
    if (kind < 5) return call(node, 'PUT', groupPath(name), body);
    if (kind < 7) return call(node, 'DELETE', groupPath(name));
    return call(node, 'POST', groupPath(name, ['/start', '/stop', '/restart'][kind - 7]));
  };
  for (let round = 0; round < ROUNDS; round++) {
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, oneCall));
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
    if (round % 4 === 3) await (nodes[round % 2] ?? nodes[0]).clock.advance('30s');
  }
  await Promise.all(nodes.map((node) => node.settled()));

  const list = `${subscription}/providers/Vendor.ContainerInstance/containerGroups?api-version=2023-05-01`;
  const usages = `${subscription}/providers/Vendor.ContainerInstance/locations/eastus/usages?api-version=2023-05-01`;
  const [here, there] = [await call(0, 'GET', list), await call(1, 'GET', list)];
  expect(there.body).toEqual(here.body);
  const skus: string[] = here.body.value.map((it: { properties: { sku: string } }) => it.properties.sku);
  const used = Object.fromEntries(
    (await call(1, 'GET', usages)).body.value.map((it: { name: { value: string }; currentValue: number }) => [
      it.name.value,
      it.currentValue,
    ]),
  );
  const count = (sku: string): number => skus.filter((it) => it === sku).length;
  expect(used).toMatchObject({
    ContainerGroups: count('Standard'),
    StandardCores: count('Standard'),
    DedicatedContainerGroups: count('Dedicated'),
    DedicatedCores: count('Dedicated'),
  });
  expect((await call(1, 'DELETE', resourceGroup)).status).toBe(202);
  await nodes[0].clock.advance('1m');
  expect((await call(0, 'GET', list)).body.value).toEqual([]);
});
