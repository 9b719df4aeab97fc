import { expect, it } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { Grid } from './topics/grid.ts';

const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/links`;
const PROVIDER = `${GROUP}/providers/Vendor.EventGrid`;
const PREVIEW = 'api-version=2021-10-15-preview';

onBothStores('private endpoints that lead to topics', (bench) => {
  const grid = new Grid(bench, 'links');
  const endpoint = (name: string) => `${GROUP}/providers/Vendor.Network/privateEndpoints/${name}`;
  const connect = (name: string, to: string, member = 'privateLinkServiceConnections') => {
    const properties = { privateLinkServiceId: to, groupIds: ['topic'], requestMessage: 'let me in' };
    const body = { location: 'westeurope', properties: { [member]: [{ name: 'link', properties }] } };
    return bench.call('PUT', `${endpoint(name)}?api-version=2023-09-01`, { body });
  };
  const connections = async (path = 'topics/linked') =>
    (await grid.get(`${path}/privateEndpointConnections`)).body.value;

  it('appear at the topic as soon as the endpoint is stored, in any prefix', async () => {
    await grid.create('topics/linked');
    await grid.create('topics/linked-2');
    expect(await connections()).toEqual([]);
    expect((await connect('one', `${PROVIDER}/topics/LINKED`.replace('Vendor', 'Microsoft'))).status).toBe(201);
    const [connection, ...others] = await connections();
    expect(others).toEqual([]);
    const name = expect.stringMatching(/^one\.[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    expect(connection).toEqual({
      id: `${PROVIDER}/topics/linked/privateEndpointConnections/${connection.name}`,
      name,
      type: 'Vendor.EventGrid/topics/privateEndpointConnections',
      properties: {
        privateEndpoint: { id: endpoint('one') },
        groupIds: ['topic'],
        privateLinkServiceConnectionState: {
          status: 'Approved',
          description: 'Auto-approved',
          actionsRequired: 'None',
        },
        provisioningState: 'Succeeded',
      },
    });
    const path = `topics/linked/privateEndpointConnections/${connection.name}`;
    expect((await grid.get(path)).body).toEqual(connection);
    expect((await grid.get(`${path}?${PREVIEW}`)).body).toEqual(connection);
    expect(await connections('topics/linked-2')).toEqual([]);
  });

  it('are approved, rejected and removed by the owner of the topic, and a PUT of the topic keeps the decision', async () => {
    await connect('two', `${PROVIDER}/topics/linked`, 'manualPrivateLinkServiceConnections');
    const waiting = (await connections()).find(({ name }: { name: string }) => name.startsWith('two.'));
    expect(waiting.properties.privateLinkServiceConnectionState).toEqual({
      status: 'Pending',
      description: 'let me in',
      actionsRequired: 'None',
    });
    const path = `topics/linked/privateEndpointConnections/${waiting.name}`;
    const state = { status: 'Rejected', description: 'no', actionsRequired: 'None' };
    const decided = await grid.put(path, { properties: { privateLinkServiceConnectionState: state } });
    expect(decided).toMatchObject({
      status: 201,
      body: { properties: { provisioningState: 'Updating', privateLinkServiceConnectionState: state } },
    });
    const operation = await bench.call('GET', decided.headers.get('azure-asyncoperation') ?? '');
    expect(operation.body.status).toBe('Succeeded');
    const topic = (await grid.create('topics/linked')) as object;
    expect(JSON.stringify(topic)).not.toContain('privateEndpoints');
    expect((await grid.get(path)).body.properties).toMatchObject({
      provisioningState: 'Succeeded',
      privateLinkServiceConnectionState: state,
    });
    const gone = await grid.delete(path);
    expect([gone.status, gone.headers.get('location')]).toEqual([202, expect.stringContaining('/operationResults/')]);
    expect((await grid.get(path)).status).toBe(404);
    expect((await grid.delete(path)).status).toBe(204);
    expect(await connections()).toHaveLength(1);
    await bench.call('DELETE', `${endpoint('one')}?api-version=2023-09-01`);
    await bench.jar.settled();
    expect(await connections()).toEqual([]);
  });

  it.each([
    ['a connection that there is not', { privateLinkServiceConnectionState: { status: 'Approved' } }, 404],
    ['no state', {}, 400],
    ['a state that is none', { privateLinkServiceConnectionState: { status: 'Maybe' } }, 400],
  ])('are refused with %s', async (_title, properties, status) => {
    const path = 'topics/linked/privateEndpointConnections/nothing';
    expect((await grid.put(path, { properties })).status).toBe(status);
  });

  it.each([
    ['topics/linked', 'topic'],
    ['domains/linked-3', 'domain'],
  ])('can be made for %s as a whole', async (path, group) => {
    await grid.create(path);
    const { body } = await grid.get(`${path}/privateLinkResources`);
    expect(body.value).toEqual([
      {
        id: `${PROVIDER}/${path}/privateLinkResources/${group}`,
        name: group,
        type: `Vendor.EventGrid/${path.split('/')[0]}/privateLinkResources`,
        properties: {
          groupId: group,
          displayName: expect.any(String),
          requiredMembers: [group],
          requiredZoneNames: ['privatelink.eventgrid.vendor.example'],
        },
      },
    ]);
    expect((await grid.get(`${path}/privateLinkResources/${group}`)).body).toEqual(body.value[0]);
    expect((await grid.get(`${path}/privateLinkResources/other`)).status).toBe(404);
    expect((await grid.get(`${path}-absent/privateLinkResources`)).status).toBe(404);
  });
});

onBothStores('event namespaces', (bench) => {
  const grid = new Grid(bench, 'links');

  it.each([
    ['GET', 'namespaces'],
    ['PUT', 'namespaces/one'],
    ['DELETE', 'namespaces/one'],
    ['POST', 'namespaces/one/listKeys'],
    ['PUT', 'namespaces/one/topics/two'],
    ['PUT', 'namespaces/one/topics/two/eventSubscriptions/three'],
    ['GET', 'namespaces/one/permissionBindings'],
    ['PATCH', 'namespaces/one/clients/two'],
  ])('are refused as no part of the jar: %s %s', async (method, path) => {
    const { status, body } = await grid.call(method, path, method === 'GET' ? {} : { body: {} });
    expect([status, body.error.code]).toEqual([400, 'NotPartOfJar']);
    expect(body.error.message).toContain("'Vendor.EventGrid/namespaces' is not part of this jar");
  });
});
