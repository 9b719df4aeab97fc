import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/kernel/store/types.ts';
import { FOREIGN_TYPES } from '../../../../src/services/resources/foreign/types.ts';
import { readChanges } from '../../../support/changes.ts';
import { onAnyStore, onBothStores, SUBSCRIPTION } from '../../../support/jars.ts';

const V = 'api-version=2025-04-01';
const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/records`;
const at = (rest: string, version: string): string => `${GROUP}/providers/${rest}?api-version=${version}`;

onBothStores('records of other providers', (bench) => {
  const put = async (rest: string, version: string, body: object = { location: 'westeurope' }) => {
    const reply = await bench.call('PUT', at(rest, version), { body });
    expect([rest, reply.status, reply.status === 201 ? '' : reply.text]).toEqual([rest, 201, '']);
    return reply;
  };
  const code = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await bench.call(method, path, { body });
    return `${status} ${answer?.error?.code ?? ''}`.trim();
  };

  it('are made below their parents only, and go with them', async () => {
    await bench.call('PUT', `${GROUP}?${V}`, { body: { location: 'westeurope' } });
    const version = '2024-01-01';
    const bus = 'Vendor.ServiceBus/namespaces/orders';
    expect(await code('PUT', at(`${bus}/topics/t`, version), {})).toBe('404 ParentResourceNotFound');
    expect(await code('GET', at(`${bus}/topics/t`, version))).toBe('404 ParentResourceNotFound');
    expect(await code('GET', at(`${bus}/topics`, version))).toBe('404 ParentResourceNotFound');
    expect(await code('GET', at(bus, version))).toBe('404 ResourceNotFound');
    await put(bus, version);
    for (const child of ['queues/q', 'topics/t', 'topics/t/subscriptions/s', 'topics/t/subscriptions/s/rules/r'])
      await put(`${bus}/${child}`, version, { properties: { made: child } });
    expect(await code('PUT', at(`${bus}/topics/absent/subscriptions/s`, version), {})).toBe(
      '404 ParentResourceNotFound',
    );
    const rules = await bench.call('GET', at(`${bus}/topics/t/subscriptions/s/rules`, version));
    expect(rules.body.value).toEqual([
      expect.objectContaining({
        name: 'r',
        type: 'Vendor.ServiceBus/namespaces/topics/subscriptions/rules',
        properties: { made: 'topics/t/subscriptions/s/rules/r', provisioningState: 'Succeeded' },
      }),
    ]);
    // Lists across types contain resources with a location.
    const rows = await bench.call('GET', `${GROUP}/resources?${V}`);
    expect(rows.body.value.map(({ type }: { type: string }) => type)).toEqual(['Vendor.ServiceBus/namespaces']);
    expect(await code('DELETE', at(`${bus}/topics/t`, version))).toBe('200');
    expect(await code('GET', at(`${bus}/topics/t/subscriptions/s`, version))).toBe('404 ParentResourceNotFound');
    expect(await code('HEAD', at(`${bus}/queues/q`, version))).toBe('204');
    expect(await code('DELETE', at(bus, version))).toBe('200');
    await put(bus, version);
    expect(await code('HEAD', at(`${bus}/queues/q`, version))).toBe('404');
  });

  it('leave change records, and go with their group', async () => {
    const version = '2023-01-31';
    const identity = await put('Microsoft.ManagedIdentity/userAssignedIdentities/runner', version);
    expect(identity.body).toMatchObject({
      type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
      properties: { principalId: expect.any(String), clientId: expect.any(String), tenantId: expect.any(String) },
    });
    const written = (changes: readonly Change[]) =>
      changes.some(
        ({ subject, outcome }) => subject.endsWith('/userAssignedIdentities/runner') && outcome === 'Succeeded',
      );
    await readChanges(bench.jar, written);
    await bench.call('DELETE', `${GROUP}?${V}&forceDeletionTypes=Vendor.Compute/virtualMachines`);
    await bench.jar.settled();
    expect(await code('GET', `${GROUP}?${V}`)).toBe('404 ResourceGroupNotFound');
    const { body } = await bench.call(
      'GET',
      `/subscriptions/${SUBSCRIPTION}/resources?${V}&$filter=resourceGroup eq 'records'`,
    );
    expect(body.value).toEqual([]);
  });
});

onAnyStore('the rules of records', (bench) => {
  const version = '2023-05-01';
  const account = 'Vendor.Storage/storageAccounts/files';

  it('of names, places, bodies and versions are those of their types', async () => {
    await bench.call('PUT', `${GROUP}?${V}`, { body: { location: 'westeurope' } });
    const table: readonly (readonly [string, string, string, unknown, string])[] = [
      ['a new account', account, version, { location: 'eastus' }, '201'],
      ['the same again', account, version, { location: 'eastus', kind: 'StorageV2' }, '200'],
      [
        'null for what is left out',
        account,
        version,
        { location: 'eastus', kind: null, sku: null, tags: null, identity: null, properties: null },
        '200',
      ],
      ['two slashes', account.replace('/storageAccounts', '//storageAccounts'), version, { location: 'eastus' }, '200'],
      ['another region', account, version, { location: 'westus' }, '409 InvalidResourceLocation'],
      ['no region', 'Vendor.Storage/storageAccounts/other', version, {}, '400 LocationRequired'],
      [
        'an unknown region',
        'Vendor.Storage/storageAccounts/other',
        version,
        { location: 'moon' },
        '400 LocationNotAvailableForResourceType',
      ],
      [
        'a wrong name',
        'Vendor.Storage/storageAccounts/Not-Good',
        version,
        { location: 'eastus' },
        '400 InvalidResourceName',
      ],
      ['a wrong version', account, '1999-01-01', { location: 'eastus' }, '400 NoRegisteredProviderFound'],
      [
        'a type that is not there',
        'Vendor.Storage/nothings/x',
        version,
        { location: 'eastus' },
        '404 InvalidResourceType',
      ],
      [
        'a provider that is not there',
        'Vendor.Nowhere/things/x',
        version,
        { location: 'eastus' },
        '404 InvalidResourceNamespace',
      ],
      [
        'properties that are no object',
        account,
        version,
        { location: 'eastus', properties: [] },
        '400 InvalidRequestContent',
      ],
      [
        'a global type in a region',
        'Vendor.Communication/communicationServices/c',
        '2023-04-01',
        { location: 'eastus' },
        '400 LocationNotAvailableForResourceType',
      ],
      ['a global type', 'Vendor.Communication/communicationServices/c', '2023-04-01', { location: 'Global' }, '201'],
      ['a service with one name only', `${account}/blobServices/mine`, version, {}, '400 InvalidResourceName'],
      ['what is there from the start', `${account}/blobServices/default`, version, { properties: {} }, '200'],
    ];
    for (const [what, rest, apiVersion, body, expected] of table) {
      const reply = await bench.call('PUT', at(rest, apiVersion), { body });
      expect([what, `${reply.status} ${reply.body?.error?.code ?? ''}`.trim()]).toEqual([what, expected]);
    }
  });

  it('keep no secrets', async () => {
    const osProfile = { computerName: 'vm', adminUsername: 'ada', adminPassword: 'not to be seen' };
    const made = await bench.call('PUT', at('Vendor.Compute/virtualMachines/vm', '2024-07-01'), {
      body: { location: 'eastus', properties: { osProfile, list: [{ password: 'x', kept: 1 }] } },
    });
    expect(made.body.properties).toMatchObject({
      osProfile: { computerName: 'vm', adminUsername: 'ada' },
      list: [{ kept: 1 }],
    });
    expect(made.text).not.toContain('not to be seen');
    expect(made.body.properties.list).toEqual([{ kept: 1 }]);
  });

  it('merge what a PATCH sends', async () => {
    const place = at('Vendor.Web/serverFarms/plan', '2023-12-01');
    const properties = { reserved: true, depth: { a: 1, b: 2 } };
    await bench.call('PUT', place, { body: { location: 'eastus', tags: { a: '1' }, sku: { name: 'B1' }, properties } });
    const patched = await bench.call('PATCH', place, {
      body: { properties: { depth: { b: null, c: 3 } }, sku: { capacity: 2 } },
    });
    expect(patched).toMatchObject({
      status: 200,
      body: {
        tags: { a: '1' },
        sku: { name: 'B1', capacity: 2 },
        properties: { reserved: true, depth: { a: 1, c: 3 } },
      },
    });
    expect(patched.body.properties.depth).toEqual({ a: 1, c: 3 });
    expect((await bench.call('PATCH', at('Vendor.Web/serverFarms/none', '2023-12-01'), { body: {} })).status).toBe(404);
  });

  it('give keys of their own to those who may ask for them', async () => {
    const place = (name: string, action = '') =>
      at(`Vendor.OperationalInsights/workspaces/${name}${action}`, '2022-10-01');
    const made = await bench.call('PUT', place('logs'), { body: { location: 'eastus' } });
    const again = await bench.call('PUT', place('logs'), { body: { location: 'eastus' } });
    expect(again.body.properties.customerId).toBe(made.body.properties.customerId);
    const keys = await bench.call('POST', place('logs', '/sharedKeys'));
    expect(keys).toMatchObject({
      status: 200,
      body: { primarySharedKey: expect.any(String), secondarySharedKey: expect.any(String) },
    });
    expect((await bench.call('POST', place('logs', '/sharedKeys'))).body).toEqual(keys.body);
    expect((await bench.call('POST', place('none', '/sharedKeys'))).body.error.code).toBe('ResourceNotFound');
    const token = await bench.jar.token({ user: 'no-job-queue' });
    expect((await bench.call('POST', place('logs', '/sharedKeys'), { token })).status).toBe(403);
  });

  it('of a user-assigned identity stay while it is used', async () => {
    const place = at('Vendor.Web/sites/site', '2023-12-01');
    const user = `${GROUP}/providers/Vendor.ManagedIdentity/userAssignedIdentities/runner`;
    const put = async (identity?: object) =>
      (await bench.call('PUT', place, { body: { location: 'eastus', ...(identity && { identity }) } })).body.identity;
    const both = await put({ type: 'SystemAssigned, UserAssigned', userAssignedIdentities: { [user]: {} } });
    expect(both.userAssignedIdentities[user]).toEqual({
      principalId: expect.any(String),
      clientId: expect.any(String),
    });
    expect((await put({ type: 'SystemAssigned' })).principalId).toBe(both.principalId);
    expect(await put({ type: 'None' })).toEqual({ type: 'None' });
    expect(await put()).toBeUndefined();
  });
});

onAnyStore('every type of records', (bench) => {
  describe('can be made, read, checked and deleted with its oldest and its newest version', () => {
    it.each(FOREIGN_TYPES.filter(({ type }) => type.split('/').length === 2).map((type) => [type.type, type] as const))(
      '%s',
      async (_name, type) => {
        await bench.call('PUT', `${GROUP}?${V}`, { body: { location: 'westeurope' } });
        const name = 'abcde1';
        for (const version of [type.apiVersions[0] ?? '', type.apiVersions.at(-1) ?? '']) {
          const place = at(`${type.type}/${name}`, version);
          const made = await bench.call('PUT', place, { body: { location: type.locations?.[0] ?? 'westeurope' } });
          expect(made.status, made.text).toBe(201);
          expect((await bench.call('HEAD', place)).status).toBe(204);
          expect((await bench.call('GET', place)).body).toEqual(made.body);
          expect((await bench.call('DELETE', place)).status).toBe(200);
          expect((await bench.call('HEAD', place)).status).toBe(404);
        }
      },
    );
  });

  it('has versions that are dates, newest first, and is named once', () => {
    const names = FOREIGN_TYPES.map(({ type }) => type.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    for (const { type, apiVersions } of FOREIGN_TYPES) {
      expect([type, apiVersions.filter((version) => !/^\d{4}-\d\d-\d\d(-preview)?$/.test(version))]).toEqual([
        type,
        [],
      ]);
      const dates = apiVersions.map((version) => version.slice(0, 10));
      expect([type, dates]).toEqual([type, dates.toSorted().reverse()]);
    }
  });

  it('below another has its parent among them', () => {
    const names = new Set(FOREIGN_TYPES.map(({ type }) => type));
    const lost = FOREIGN_TYPES.filter(
      ({ type }) => type.split('/').length > 2 && !names.has(type.slice(0, type.lastIndexOf('/'))),
    );
    expect(lost).toEqual([]);
  });
});
