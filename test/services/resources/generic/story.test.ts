import { ResourceManagementClient } from '@azure/arm-resources';
import { expect, it } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../../../support/jars.ts';

/** Generic calls with the official client: records of other providers, moves between groups, and templates. */
onBothStores('a team works with resources of every provider', (bench) => {
  const credential = {
    getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Date.now() + 3_600_000 }),
  };
  const client = () => new ResourceManagementClient(credential, SUBSCRIPTION, { endpoint: bench.jar.httpsUrl });
  const groupId = (group: string) => `/subscriptions/${SUBSCRIPTION}/resourceGroups/${group}`;
  const idOf = (group: string, rest: string) => `${groupId(group)}/providers/${rest}`;
  const fast = { updateIntervalInMs: 5 };

  it('makes, reads, changes, checks and deletes records by their id', async () => {
    const { resourceGroups, resources } = client();
    for (const group of ['first', 'second', 'empty'])
      await resourceGroups.createOrUpdate(group, { location: 'westeurope' });
    expect((await resourceGroups.get('first')).tags).toBeUndefined();
    const bus = idOf('first', 'Microsoft.EventHub/namespaces/orders');
    const version = '2024-01-01';
    expect((await resources.checkExistenceById(bus, version)).body).toBe(false);
    const made = await resources.beginCreateOrUpdateByIdAndWait(bus, version, {
      location: 'West Europe',
      sku: { name: 'Standard' },
      tags: { env: 'test' },
      identity: { type: 'SystemAssigned' },
      properties: { isAutoInflateEnabled: true },
    });
    expect(made).toMatchObject({
      id: bus,
      name: 'orders',
      type: 'Microsoft.EventHub/namespaces',
      location: 'westeurope',
      sku: { name: 'Standard' },
      tags: { env: 'test' },
      identity: { type: 'SystemAssigned', principalId: expect.any(String), tenantId: expect.any(String) },
      properties: { isAutoInflateEnabled: true, provisioningState: 'Succeeded', status: 'Active' },
    });
    expect((await resources.checkExistenceById(bus, version)).body).toBe(true);
    const hub = `${bus}/eventhubs/incoming`;
    await resources.beginCreateOrUpdateByIdAndWait(hub, version, { properties: { partitionCount: 4 } });
    expect((await resources.getById(hub, version)).properties).toMatchObject({ partitionCount: 4 });
    // Addressed by its parts, which puts two slashes into the address.
    const byParts = await resources.get('first', 'Microsoft.EventHub', '', 'namespaces', 'orders', version);
    expect(byParts.id).toBe(bus);
    expect(
      (await resources.checkExistence('first', 'Microsoft.EventHub', '', 'namespaces', 'none', version)).body,
    ).toBe(false);
    const changed = await resources.beginUpdateByIdAndWait(bus, version, {
      tags: { env: 'live' },
      properties: { kafka: true },
    });
    expect(changed).toMatchObject({ tags: { env: 'live' }, properties: { isAutoInflateEnabled: true, kafka: true } });
    expect(changed.identity?.principalId).toBe(made.identity?.principalId);
    const listed = await Array.fromAsync(
      resources.list({ expand: 'createdTime,changedTime,provisioningState', filter: '' }),
    );
    expect(listed).toEqual([
      expect.objectContaining({
        id: bus.replace('Microsoft', 'Vendor'),
        sku: { name: 'Standard' },
        createdTime: expect.any(Date),
        changedTime: expect.any(Date),
        provisioningState: 'Succeeded',
      }),
    ]);
    await resources.beginDeleteByIdAndWait(bus, version);
    expect((await resources.checkExistenceById(hub, version)).body).toBe(false);
    // Repeated: deleting a missing resource is not an error.
    await resources.beginDeleteByIdAndWait(bus, version);
  });

  it('moves resources to another group, with their children', async () => {
    const { resources, resourceGroups } = client();
    const version = '2023-05-01';
    const account = idOf('first', 'Microsoft.Storage/storageAccounts/moving');
    await resources.beginCreateOrUpdateByIdAndWait(account, version, {
      location: 'westeurope',
      sku: { name: 'Standard_LRS' },
    });
    const container = `${account}/blobServices/default/containers/photos`;
    await resources.beginCreateOrUpdateByIdAndWait(container, version, { properties: { publicAccess: 'None' } });
    const move = { resources: [account], targetResourceGroup: groupId('second') };
    await resources.beginValidateMoveResourcesAndWait('first', move, fast);
    expect((await resources.getById(account, version)).id).toBe(account);
    await resources.beginMoveResourcesAndWait('first', move, fast);
    const moved = account.replace('/first/', '/second/');
    expect((await resources.getById(moved, version)).id).toBe(moved);
    expect((await resources.getById(container.replace('/first/', '/second/'), version)).properties).toMatchObject({
      publicAccess: 'None',
    });
    expect((await resources.checkExistenceById(account, version)).body).toBe(false);
    expect(await Array.fromAsync(resources.listByResourceGroup('first'))).toEqual([]);
    const again = resources.beginValidateMoveResourcesAndWait('first', move, fast);
    await expect(again).rejects.toMatchObject({ statusCode: 409, code: 'ResourceMoveValidationFailed' });
    // The move no longer locks the groups.
    await resourceGroups.beginDeleteAndWait('first', fast);
  });

  it('exports a group as a template', async () => {
    const { resourceGroups } = client();
    const request = { resources: ['*'], options: 'IncludeParameterDefaultValue,IncludeComments' };
    const empty = await resourceGroups.beginExportTemplateAndWait('empty', request, fast);
    expect(empty.template).toMatchObject({ contentVersion: '1.0.0.0', parameters: {}, resources: [] });
    const { template, error } = await resourceGroups.beginExportTemplateAndWait('second', request, fast);
    expect(error).toBeUndefined();
    const made = template as { parameters: unknown; resources: readonly { type: string }[] };
    expect(made.parameters).toEqual({ storageAccounts_moving_name: { type: 'String', defaultValue: 'moving' } });
    const container = made.resources.find(({ type }) => type.endsWith('/containers'));
    expect(container).toMatchObject({
      name: "[concat(parameters('storageAccounts_moving_name'), '/default/photos')]",
      apiVersion: '2025-01-01',
      dependsOn: [
        "[resourceId('Vendor.Storage/storageAccounts/blobServices', parameters('storageAccounts_moving_name'), 'default')]",
        "[resourceId('Vendor.Storage/storageAccounts', parameters('storageAccounts_moving_name'))]",
      ],
      properties: { publicAccess: 'None' },
    });
  });
});
