import { beforeEach, expect, it } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../../support/jars.ts';

const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/counted`;

onBothStores('storage accounts and virtual machines', (bench) => {
  beforeEach(async () => {
    await bench.jar.reset();
    await bench.call('PUT', `${GROUP}?api-version=2021-04-01`, { body: { location: 'westus2' } });
  });

  it.each([
    ['Vendor.Storage/storageAccounts', '2023-01-01', 'management.storage-accounts'],
    ['Vendor.Compute/virtualMachines', '2024-03-01', 'management.virtual-machines'],
  ])('%s are records, counted by region as the table of limits says', async (type, version, limit) => {
    const at = (name: string): string => `${GROUP}/providers/${type}/${name}?api-version=${version}`;
    const put = (name: string, location = 'eastus') =>
      bench.call('PUT', at(name), { body: { location, sku: { name: 'S' }, properties: { a: 1 } } });
    const change = { name: limit, limit: 2 };
    const changed = await bench.call('PATCH', '/_jar/limits', { token: bench.jar.adminKey, body: change });
    expect(changed.status, changed.text).toBe(200);
    const made = await put('one1');
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({ location: 'eastus', properties: { a: 1, provisioningState: 'Succeeded' } });
    expect((await put('two2')).status).toBe(201);
    expect((await put('one1')).status).toBe(200);
    const refused = await put('three3');
    expect([refused.status, refused.body.error.code]).toEqual([409, 'RegionQuotaExceeded']);
    expect((await put('three3', 'westeurope')).status).toBe(201);
    expect((await bench.call('DELETE', at('one1'))).status).toBe(200);
    expect((await put('four4')).status).toBe(201);
    expect((await put('five5')).status).toBe(409);
    await bench.call('DELETE', `${GROUP}?api-version=2021-04-01`);
    await bench.jar.settled();
    const { body } = await bench.call('GET', `/_jar/limits?name=${limit}`, { token: bench.jar.adminKey });
    expect(body.value[0].use).toEqual([]);
  });
});
