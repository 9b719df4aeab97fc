import { expect, it } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { aGroup, Groups, groupRoot } from './groups.ts';

onBothStores('a container group is a resource', (bench) => {
  const groups = new Groups(bench, 'life');

  it('is created as pending and can be polled until it has succeeded', async () => {
    const made = await groups.put('first', aGroup({}, { tags: { env: 'test' } }));
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      id: `${groupRoot('life')}/first`,
      name: 'first',
      type: 'Vendor.ContainerInstance/containerGroups',
      location: 'westus',
      tags: { env: 'test' },
      properties: {
        sku: 'Standard',
        provisioningState: 'Pending',
        initContainers: [],
        instanceView: { events: [], state: 'Pending' },
      },
    });
    const poll = made.headers.get('azure-asyncoperation') ?? '';
    const [, operation] = /\/operations\/([0-9a-f-]{36})\?api-version=2018-06-01$/.exec(poll) ?? [];
    expect(poll).toContain(`/subscriptions/${SUBSCRIPTION}/providers/Vendor.ContainerInstance/locations/westus/`);
    expect(made.headers.get('x-ms-request-id')).toBe(`westus:${operation}`);
    expect(made.headers.get('x-ms-ratelimit-remaining-subscription-resource-requests-pt5m')).toBe('99');
    expect(made.headers.get('x-ms-ratelimit-remaining-subscription-resource-requests-pt1h')).toBe('299');
    expect(made.headers.has('retry-after')).toBe(false);
    await bench.jar.settled();
    const status = await bench.call('GET', poll);
    expect(status.body).toMatchObject({ id: `${groupRoot('life')}/first`, status: 'Succeeded' });
    expect(status.body.properties.events.map(({ name }: { name: string }) => name)).toContain('Started');
    const found = await groups.get('first');
    expect(found.body.properties).toMatchObject({
      provisioningState: 'Succeeded',
      instanceView: { state: 'Running' },
      containers: [
        { name: 'web', properties: { instanceView: { restartCount: 0, currentState: { state: 'Running' } } } },
      ],
    });
  });
});
