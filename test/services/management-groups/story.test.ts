import { EventGridManagementClient } from '@azure/arm-eventgrid';
import { ManagementGroupsAPI } from '@azure/arm-managementgroups';
import { expect, it } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { TENANT } from './groups.ts';

const idOf = (name: string): string => `/providers/Microsoft.Management/managementGroups/${name}`;
const polling = { updateIntervalInMs: 20 };

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of pages) items.push(item);
  return items;
}

/** A complete user story of organising subscriptions with the official clients: only endpoint and credential are set. */
onBothStores('a company puts its subscriptions in order', (bench) => {
  const credential = {
    getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Date.now() + 3_600_000 }),
  };
  const client = () => new ManagementGroupsAPI(credential, { endpoint: bench.jar.httpsUrl });
  const events = () => new EventGridManagementClient(credential, SUBSCRIPTION, { endpoint: bench.jar.httpsUrl });

  it('finds the root group and no other', async () => {
    const listed = await all(client().managementGroups.list());
    expect(listed).toMatchObject([{ name: TENANT, displayName: 'Tenant Root Group', tenantId: TENANT }]);
    expect(
      await client().checkNameAvailability({ name: 'Company', type: 'Microsoft.Management/managementGroups' }),
    ).toEqual({
      nameAvailable: true,
    });
  });

  it('makes a tree of groups', async () => {
    const made = await client().managementGroups.beginCreateOrUpdateAndWait(
      'Company',
      { displayName: 'The company' },
      polling,
    );
    expect(made).toMatchObject({
      name: 'Company',
      displayName: 'The company',
      tenantId: TENANT,
      details: { version: 1 },
    });
    for (const [name, parent] of [
      ['production', 'Company'],
      ['shop', 'production'],
      ['testing', 'company'],
    ] as const) {
      const details = { parent: { id: idOf(parent) } };
      await client().managementGroups.beginCreateOrUpdateAndWait(name, { name, details }, polling);
    }
    const shop = await client().managementGroups.get('SHOP', { expand: 'path' });
    expect(shop).toMatchObject({
      id: idOf('shop'),
      type: 'Microsoft.Management/managementGroups',
      name: 'shop',
      tenantId: TENANT,
      displayName: 'shop',
      details: {
        version: 1,
        parent: { id: idOf('production'), name: 'production', displayName: 'production' },
        path: [{ name: TENANT }, { name: 'Company' }, { name: 'production' }, { name: 'shop' }],
      },
    });
    expect(
      await client().checkNameAvailability({ name: 'company', type: 'Microsoft.Management/managementGroups' }),
    ).toMatchObject({
      nameAvailable: false,
      reason: 'AlreadyExists',
    });
  });

  it('moves a subscription into a group, and sees the whole tree', async () => {
    const moved = await client().managementGroupSubscriptions.create('shop', SUBSCRIPTION);
    expect(moved).toMatchObject({
      id: `${idOf('shop')}/subscriptions/${SUBSCRIPTION}`,
      type: 'Microsoft.Management/managementGroups/subscriptions',
      name: SUBSCRIPTION,
      state: 'Active',
      tenant: TENANT,
      parent: { id: idOf('shop') },
    });
    const listed = await all(client().managementGroupSubscriptions.listSubscriptionsUnderManagementGroup('shop'));
    expect(listed.map(({ name }) => name)).toEqual([SUBSCRIPTION]);
    const company = await client().managementGroups.get('Company', { expand: 'children', recurse: true });
    expect(company.children).toMatchObject([
      {
        name: 'production',
        children: [{ name: 'shop', children: [{ type: '/subscriptions', name: SUBSCRIPTION }] }],
      },
      { name: 'testing' },
    ]);
    expect(company.children?.[1]).not.toHaveProperty('children');
    const below = await all(client().managementGroups.listDescendants('Company'));
    expect(below.map(({ name }) => name)).toEqual(['production', 'shop', 'testing', SUBSCRIPTION]);
    const entities = await all(client().entities.list());
    expect(entities.map(({ name }) => name)).toEqual([
      TENANT,
      'Company',
      'production',
      'shop',
      SUBSCRIPTION,
      'testing',
    ]);
    expect(entities[2]).toMatchObject({
      permissions: 'delete',
      numberOfChildren: 1,
      numberOfDescendants: 2,
      parentNameChain: [TENANT, 'Company'],
      parentDisplayNameChain: ['Tenant Root Group', 'The company'],
    });
  });

  it('follows next links of entities', async () => {
    const names = (await all(client().entities.list({ top: 2 }))).map(({ name }) => name);
    expect(names).toEqual([TENANT, 'Company', 'production', 'shop', SUBSCRIPTION, 'testing']);
  });

  it('renames and moves a group', async () => {
    const moved = await client().managementGroups.update('shop', {
      displayName: 'The shop',
      parentGroupId: idOf('testing'),
    });
    expect(moved).toMatchObject({ displayName: 'The shop', details: { version: 2, parent: { name: 'testing' } } });
  });

  it('hears of what happens in the subscriptions below a group', async () => {
    const inbox = bench.jar.inbox('company');
    const made = await events().eventSubscriptions.beginCreateOrUpdateAndWait(
      idOf('company'),
      'audit',
      {
        destination: { endpointType: 'WebHook', endpointUrl: inbox.httpsUrl },
        filter: { includedEventTypes: ['Microsoft.Resources.ResourceWriteSuccess'], subjectEndsWith: '/shelves' },
      },
      polling,
    );
    expect(made).toMatchObject({
      id: `${idOf('Company')}/providers/Microsoft.EventGrid/eventSubscriptions/audit`,
      provisioningState: 'Succeeded',
    });
    await inbox.clear();
    const resourceGroup = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shelves`;
    await bench.call('PUT', `${resourceGroup}?api-version=2021-04-01`, { body: { location: 'westus' } });
    await bench.jar.settled();
    const [event] = (await inbox.next()).json();
    expect(event).toMatchObject({
      eventType: 'Microsoft.Resources.ResourceWriteSuccess',
      topic: idOf('Company'),
      subject: resourceGroup,
    });
  });

  it('keeps settings of the tenant', async () => {
    const settings = client().hierarchySettingsOperations;
    const set = await settings.createOrUpdate(TENANT, { defaultManagementGroup: idOf('Testing') });
    expect(set).toMatchObject({ name: 'default', defaultManagementGroup: 'testing' });
    await client().managementGroups.beginCreateOrUpdateAndWait('lab', {}, polling);
    expect((await client().managementGroups.get('lab')).details?.parent?.name).toBe('testing');
    await settings.delete(TENANT);
    await expect(settings.get(TENANT)).rejects.toMatchObject({ statusCode: 404, code: 'NotFound' });
  });

  it('takes its groups down again, from the leaves to the top', async () => {
    await expect(client().managementGroups.beginDelete('Company')).rejects.toMatchObject({
      statusCode: 400,
      code: 'BadRequest',
    });
    await client().managementGroupSubscriptions.delete('shop', SUBSCRIPTION);
    for (const name of ['lab', 'shop', 'testing', 'production', 'Company'])
      await client().managementGroups.beginDeleteAndWait(name, polling);
    await bench.jar.settled();
    expect(await all(client().managementGroups.list())).toHaveLength(1);
    await client().managementGroups.beginCreateOrUpdateAndWait('shop', {}, polling);
    expect((await client().managementGroups.get('shop')).details?.version).toBe(3);
    const audit = `${idOf('Company')}/providers/Microsoft.EventGrid/eventSubscriptions/audit?api-version=2022-06-15`;
    expect((await bench.call('GET', audit)).status).toBe(404);
  });
});
