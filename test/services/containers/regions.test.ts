import { expect, it } from 'vitest';
import { onAnyStore, SUBSCRIPTION, withJar } from '../../support/jars.ts';
import { aContainer, aGroup, type Body, Groups, groupRoot, VERSION } from './groups.ts';

const location = (region: string, what: string): string =>
  `/subscriptions/${SUBSCRIPTION}/providers/Vendor.ContainerInstance/locations/${region}/${what}?${VERSION}`;

const sized = (cpu: number, rest: Body = {}, properties: Body = {}): Body =>
  aGroup({
    containers: [aContainer('web', { resources: { requests: { cpu, memoryInGB: 1, ...rest } } })],
    ...properties,
  });

onAnyStore('what a subscription has in a region', (bench) => {
  const groups = new Groups(bench, 'regions');
  const usages = async (region = 'westus'): Promise<Record<string, number>> => {
    const { value } = (await bench.call('GET', location(region, 'usages'))).body;
    return Object.fromEntries(value.map((it: Body) => [it.name.value, it.currentValue]));
  };
  const setLimit = async (name: string, limit: number): Promise<void> => {
    const reply = await bench.call('PATCH', '/_jar/limits', {
      token: bench.jar.adminKey,
      body: { name: `containers.${name}`, limit },
    });
    expect(reply.status).toBe(200);
  };

  it('is reported under ten names, with the limits', async () => {
    const { value } = (await bench.call('GET', location('West US', 'usages'))).body;
    expect(value.map((it: Body) => [it.name.value, it.currentValue, it.limit])).toEqual([
      ['ContainerGroups', 0, 100],
      ['StandardCores', 0, 100],
      ['StandardSpotCores', 0, 10],
      ['StandardK80Cores', 0, 100],
      ['StandardP100Cores', 0, 100],
      ['StandardV100Cores', 0, 0],
      ['DedicatedContainerGroups', 0, 100],
      ['DedicatedCores', 0, 100],
      ['ConfidentialContainerGroups', 0, 100],
      ['ConfidentialCores', 0, 100],
    ]);
    expect(value[0]).toEqual({
      id: `/subscriptions/${SUBSCRIPTION}/providers/Vendor.ContainerInstance/locations/westus/usages/ContainerGroups`,
      unit: 'Count',
      currentValue: 0,
      limit: 100,
      name: { value: 'ContainerGroups', localizedValue: 'Container Groups' },
    });
  });

  it('is counted by kind, and given back', async () => {
    await groups.create('regular', sized(1.5));
    await groups.create('spot', sized(2, {}, { priority: 'Spot' }));
    await groups.create('dedicated', sized(3, {}, { sku: 'Dedicated' }));
    await groups.create('confidential', sized(4, {}, { sku: 'Confidential' }));
    expect(await usages()).toMatchObject({
      ContainerGroups: 2,
      StandardCores: 2,
      StandardSpotCores: 2,
      DedicatedContainerGroups: 1,
      DedicatedCores: 3,
      ConfidentialContainerGroups: 1,
      ConfidentialCores: 4,
    });
    expect((await usages('eastus')).ContainerGroups).toBe(0);
    await bench.call('POST', `${groupRoot('regions')}/regular/stop?${VERSION}`);
    expect((await groups.put('regular', sized(4))).status).toBe(200);
    expect(await usages()).toMatchObject({ ContainerGroups: 2, StandardCores: 4 });
    await bench.jar.settled();
    for (const name of ['regular', 'spot', 'dedicated', 'confidential']) await groups.delete(name);
    expect(Object.values(await usages()).every((count) => count === 0)).toBe(true);
  });

  it('is given back with the resource group', async () => {
    const doomed = new Groups(bench, 'doomed-quota');
    await doomed.create('a', sized(3));
    await doomed.create('b', sized(2));
    expect(await usages()).toMatchObject({ ContainerGroups: 2, StandardCores: 5 });
    await bench.call('DELETE', `/subscriptions/${SUBSCRIPTION}/resourceGroups/doomed-quota?api-version=2021-04-01`);
    await bench.jar.settled();
    expect(await usages()).toMatchObject({ ContainerGroups: 0, StandardCores: 0 });
  });

  it.each([
    ['groups', 'ContainerGroups', 1, sized(1), '1'],
    ['standard-cores', 'StandardCores', 2, sized(3), '3'],
    ['spot-cores', 'StandardSpotCores', 2, sized(3, {}, { priority: 'Spot' }), '3'],
    ['v100-cores', 'StandardV100Cores', 0, sized(2, { gpu: { count: 1, sku: 'V100' } }), '2'],
    ['dedicated-groups', 'DedicatedContainerGroups', 0, sized(1, {}, { sku: 'Dedicated' }), '1'],
    ['dedicated-cores', 'DedicatedCores', 1, sized(2, {}, { sku: 'Dedicated' }), '2'],
    ['confidential-cores', 'ConfidentialCores', 1, sized(2, {}, { sku: 'Confidential' }), '2'],
  ])('is limited: %s', async (row, quota, limit, body, requested) => {
    await bench.jar.reset();
    const fresh = new Groups(bench, 'limited');
    await setLimit(row, limit);
    const eastern = { ...body, location: 'eastus' };
    if (row === 'groups') await fresh.create('first', { ...aGroup(), location: 'eastus' });
    const refused = await fresh.put('more', eastern);
    expect(refused.status).toBe(400);
    expect(refused.body.error.code).toBe('ContainerGroupQuotaReached');
    for (const part of [quota, 'eastus', `Limit: ${limit}`, `requested: ${requested}`])
      expect(refused.body.error.message).toContain(part);
    expect((await fresh.get('more')).status).toBe(404);
  });

  it('never exceeds the quota under concurrent requests', async () => {
    await bench.jar.reset();
    const fresh = new Groups(bench, 'raced');
    await setLimit('standard-cores', 5);
    const replies = await Promise.all(Array.from({ length: 8 }, (_, i) => fresh.put(`r${i}`, sized(1))));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(await usages()).toMatchObject({ ContainerGroups: 5, StandardCores: 5 });
  });

  it('is listed by resource group and by subscription, page by page', async () => {
    await bench.jar.reset();
    const one = new Groups(bench, 'list-1');
    const two = new Groups(bench, 'list-2');
    for (let i = 0; i < 5; i++) await (i % 2 ? one : two).put(`g${i}`, aGroup({}, { tags: { n: `${i}` } }));
    const names = async (path: string): Promise<string[][]> => {
      const pages: string[][] = [];
      let next: string | undefined = path;
      while (next) {
        const page: Body = (await bench.call('GET', next)).body;
        pages.push(page.value.map((it: Body) => it.name));
        next = page.nextLink;
      }
      return pages;
    };
    expect(await names(`${groupRoot('list-2')}?${VERSION}&$top=2`)).toEqual([['g0', 'g2'], ['g4']]);
    const all = `/subscriptions/${SUBSCRIPTION}/providers/Vendor.ContainerInstance/containerGroups?${VERSION}`;
    expect((await names(`${all}&$top=2`)).map((page) => page.length)).toEqual([2, 2, 1]);
    expect((await names(all)).flat().sort()).toEqual(['g0', 'g1', 'g2', 'g3', 'g4']);
    const filtered = await names(`${all}&$filter=${encodeURIComponent("tagName eq 'n' and tagValue eq '3'")}`);
    expect(filtered).toEqual([['g3']]);
  });
});

withJar((bench) => {
  const groups = new Groups(bench, 'documents');

  it('tells how large groups may be', async () => {
    const { value } = (await bench.call('GET', location('westus2', 'capabilities'))).body;
    expect(value[0]).toEqual({
      resourceType: 'containerGroups',
      osType: 'Linux',
      location: 'West US 2',
      ipAddressType: 'Public',
      gpu: 'None',
      capabilities: { maxMemoryInGB: 256, maxCpu: 32, maxGpuCount: 0 },
    });
    expect(value.find((it: Body) => it.gpu === 'V100').capabilities).toEqual({
      maxMemoryInGB: 448,
      maxCpu: 24,
      maxGpuCount: 4,
    });
  });

  it('knows the images that were used', async () => {
    await groups.create('user-of-images', aGroup());
    const { value } = (await bench.call('GET', location('westus', 'cachedImages'))).body;
    expect(value).toContainEqual({ osType: 'Linux', image: 'nginx' });
  });

  it.each(['usages', 'capabilities', 'cachedImages'])('has no %s of a place that is none', async (what) => {
    const refused = await bench.call('GET', location('atlantis', what));
    expect(refused.status).toBe(400);
    expect(refused.body.error.code).toBe('NoRegisteredProviderFound');
    expect(refused.body.error.message).toContain("'atlantis'");
  });

  it('lists what the provider can do', async () => {
    const { value } = (await bench.call('GET', `/providers/Vendor.ContainerInstance/operations?${VERSION}`)).body;
    expect(value).toContainEqual({
      name: 'Vendor.ContainerInstance/containerGroups/restart/action',
      display: expect.objectContaining({ operation: 'Restart', resource: 'Container group' }),
      origin: 'User',
    });
  });

  it('says what a group has to reach, which is nothing', async () => {
    const path = (name: string): string =>
      `${groupRoot('documents')}/${name}/outboundNetworkDependenciesEndpoints?${VERSION}`;
    expect((await bench.call('GET', path('user-of-images'))).body).toEqual([]);
    expect((await bench.call('GET', path('absent'))).body.error.code).toBe('ResourceNotFound');
  });

  it('has no hold on a subnet', async () => {
    const subnet = `${groupRoot('documents').split('/Vendor')[0]}/Vendor.Network/virtualNetworks/v/subnets/s`;
    const path = `${subnet}/providers/Vendor.ContainerInstance/serviceAssociationLinks/default?${VERSION}`;
    expect((await bench.call('DELETE', path)).status).toBe(204);
  });

  it('answers the versions that it knows, and names them to those who ask for another', async () => {
    const list = (version: string) => bench.call('GET', `${groupRoot('documents')}?api-version=${version}`);
    for (const version of ['2023-05-01', '2022-09-01', '2021-10-01', '2021-09-01'])
      expect((await list(version)).status).toBe(200);
    const refused = await list('2031-01-01');
    expect(refused.body.error).toMatchObject({
      code: 'InvalidResourceType',
      message: expect.stringContaining('2023-05-01'),
    });
  });

  it('takes the region of the resource group for a group that names none', async () => {
    const { location: _none, ...body } = aGroup();
    expect((await groups.put('placed', body)).body.location).toBe('westeurope');
  });
});

withJar(
  (bench) => {
    it('limits creations and deletions in five minutes, and sends Retry-After', async () => {
      const groups = new Groups(bench, 'throttled');
      const change = await bench.call('PATCH', '/_jar/limits', {
        token: bench.jar.adminKey,
        body: [
          { name: 'containers.creates-per-5-minutes', limit: 2, mode: 'enforced' },
          { name: 'containers.deletes-per-hour', limit: 1, mode: 'enforced' },
        ],
      });
      expect(change.status).toBe(200);
      await groups.create('one', aGroup());
      const second = await groups.put('two', aGroup());
      expect(second.headers.get('x-ms-ratelimit-remaining-subscription-resource-requests-pt5m')).toBe('0');
      const refused = await groups.put('three', aGroup());
      expect(refused.status).toBe(429);
      expect(refused.body.error.code).toBe('ResourceRequestsThrottled');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      // An update is not a creation.
      expect((await groups.put('one', aGroup())).status).toBe(200);
      await bench.jar.settled();
      expect((await groups.delete('one')).status).toBe(200);
      expect((await groups.delete('two')).status).toBe(429);
      await bench.jar.clock.advance('5m');
      expect((await groups.put('three', aGroup())).status).toBe(201);
    });
  },
  { clockStart: '2026-03-01T12:00:00.000Z' },
);
